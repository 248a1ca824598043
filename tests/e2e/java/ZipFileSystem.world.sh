"$JAVA_HOME/bin/jar" --create --file in/some.zip --no-manifest -C in data.txt
