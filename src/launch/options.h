/*
 * options.h: options of the program's JVM that cannot stay as they are.
 */
#ifndef CANON_LAUNCH_OPTIONS_H
#define CANON_LAUNCH_OPTIONS_H

#include <stdbool.h>

enum canon_option_fate {
    CANON_OPTION_KEPT,
    CANON_OPTION_LEFT_OUT,  /* always: about archives of classes, which canon has to do without */
    CANON_OPTION_NOT_AGAIN, /* when replaying: it makes the JVM itself write files or start commands */
};

/* What becomes of an option, as JNI_CreateJavaVM gets it. */
enum canon_option_fate canon_option_fate(const char *option);

/* Whether with this option classes may come from elsewhere than the image and Java code, or an archive is not
 * wanted. */
bool canon_option_forbids_archive(const char *option);

#endif
