code lib/agent.jar
command=("$JAVA_HOME/bin/java" "-javaagent:code/agent.jar=$NONCE" -cp classes LaunchWithJavaAgent)
