mkdir more
echo "greeting=Hello $NONCE" >more/Messages.properties
echo "greeting=Hallo $NONCE" >more/Messages_de.properties
echo "greeting=Servus $NONCE" >more/Messages_de_AT.properties
echo "one $NONCE" >more/some.txt
mkdir other
echo "two $NONCE" >other/some.txt
command=("$JAVA_HOME/bin/java" -cp "classes:more:$WORLD/other:not-there" ResourcesOnClassPath)
