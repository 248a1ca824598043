/*
 * foreign.h: natives that the table does not know, those of JNI libraries that are not the JDK's. They run
 * for real, unless the user has asked for them to be recorded: `canon record --native=CLASS.METHOD`. Knows no
 * JNI.
 */
#ifndef CANON_JVM_FOREIGN_H
#define CANON_JVM_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether a pattern names the native. It is written as in Java, "org.example.Sensor.read"; * stands for any
 * characters, ? for one. The class is as the JVM spells it: "org/example/Sensor".
 */
bool canon_foreign_matches(const char *pattern, const char *class_name, const char *method);

/*
 * The spec of a native of which only the descriptor is known: what it may leave behind is what is in the
 * primitive arrays that it is given.
 */
void canon_foreign_spec(const char *descriptor, char *spec, size_t size);

#endif
