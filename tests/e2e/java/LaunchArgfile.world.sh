cat >options <<'END'
# comment
-Dgreeting="two words"
-cp classes
END
printf 'LaunchArgfile\nin/data.txt "a b"' >main
command=("$JAVA_HOME/bin/java" @options -Xmx200m @main last)
