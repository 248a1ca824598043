# Finds a JDK to build with: its javac makes the helper class, its headers describe JNI and JVMTI.
file(GLOB jdks /usr/lib/jvm/*17*)
find_path(CANON_JDK bin/javac PATHS $ENV{JAVA17_HOME} $ENV{JAVA_HOME} ${jdks} NO_DEFAULT_PATH)
if(NOT CANON_JDK)
  message(FATAL_ERROR "no JDK 17 found: install openjdk-17-jdk-headless, or set JAVA17_HOME")
endif()
set(CANON_JAVAC ${CANON_JDK}/bin/javac)
set(CANON_JNI_INCLUDES ${CANON_JDK}/include ${CANON_JDK}/include/linux)
