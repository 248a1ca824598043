command=("$JAVA_HOME/bin/java" LaunchUserOptions)
