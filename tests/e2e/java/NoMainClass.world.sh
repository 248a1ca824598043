command=("$JAVA_HOME/bin/java" -cp classes NoSuchClassHere)
