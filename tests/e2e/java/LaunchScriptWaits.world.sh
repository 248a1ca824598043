mkdir code
cat >code/app <<END
#!/bin/sh
cd "\$(dirname "\$0")/.."
GREETING="hello $NONCE" "\$JAVA_HOME/bin/java" -cp classes LaunchScriptWaits "\$@"
exit \$?
END
chmod +x code/app
command=(code/app)
