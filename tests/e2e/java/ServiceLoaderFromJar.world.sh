code lib/service.jar
command=("$JAVA_HOME/bin/java" -cp 'classes:code/*' ServiceLoaderFromJar)
