# From JDK 24 on, the JVM warns of these methods unless it is told not to.
options=()
if ! grep -q '^JAVA_VERSION="17' "$JAVA_HOME/release"; then
  options=(--sun-misc-unsafe-memory-access=allow)
fi
command=("$JAVA_HOME/bin/java" "${options[@]}" -cp classes "$NAME")
