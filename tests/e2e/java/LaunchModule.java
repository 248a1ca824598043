// java -p mods -m module/class: the program is code/module, this class only names the case.
// args: in/data.txt
// stdout: ^module canon.e2e 2 true
// stdout: ^nonce @NONCE@ [0-9]+
class LaunchModule { }
