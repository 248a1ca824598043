# Whoever looks for what is not there first opens the jar.
code lib/greeter.jar
command=("$JAVA_HOME/bin/java" -cp classes:code/lib/greeter.jar "$NAME")
