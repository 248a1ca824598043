serve UnixServer "$WORLD/tmp/socket"
