code mods
command=("$JAVA_HOME/bin/java" -p code/mods -m canon.e2e/canon.e2e.Main)
