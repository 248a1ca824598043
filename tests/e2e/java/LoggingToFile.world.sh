cat >in/logging.properties <<END
handlers = java.util.logging.ConsoleHandler
java.util.logging.ConsoleHandler.level = WARNING
java.util.logging.SimpleFormatter.format = %1\$tF %1\$tT.%1\$tN %4\$s %3\$s %5\$s%6\$s%n%4\$s: %5\$s%n
e2e.level = FINE
END
