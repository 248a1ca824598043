command=("$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED "-Djava.library.path=$CLASSES/code/native"
  -cp classes "$NAME")
