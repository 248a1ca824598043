command=(env -u TZ "$JAVA_HOME/bin/java" -cp classes TimeZoneFromFile)
