command=("$JAVA_HOME/bin/java" -cp classes Arguments in/data.txt 'two words' 'größer 音楽' '*' '' '"quoted" \back'
  $'two\nlines' '-cp' '@nothing' "$NONCE")
