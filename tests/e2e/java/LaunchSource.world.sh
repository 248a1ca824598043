rm classes/*
mkdir code
cp "$source_file" code/
command=("$JAVA_HOME/bin/java" code/LaunchSource.java in/data.txt)
