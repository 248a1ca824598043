echo "Nonce: $NONCE" >manifest
"$JAVA_HOME/bin/jar" --create --file in/some.zip --manifest manifest -C in data.txt
