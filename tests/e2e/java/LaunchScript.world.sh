mkdir code
cat >code/app <<END
#!/bin/sh
# Looks for its home as start scripts do.
home=\$(cd "\$(dirname "\$0")/.." && pwd)
GREETING="hello $NONCE"
export GREETING
exec "\$JAVA_HOME/bin/java" -Dapp.home="\$home" -cp "\$home/classes" LaunchScript "\$@"
END
chmod +x code/app
command=(code/app)
