printf 'quiet\nexclude ClassForCompiler*::*\n' >compiled.txt
