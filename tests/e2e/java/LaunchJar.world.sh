code lib/greeter.jar
printf 'Main-Class: LaunchJar\nClass-Path: greeter.jar\nImplementation-Version: 1.2\n' >manifest
"$JAVA_HOME/bin/jar" --create --file code/app.jar --manifest manifest -C classes LaunchJar.class
rm manifest classes/*
command=("$JAVA_HOME/bin/java" -jar code/app.jar)
