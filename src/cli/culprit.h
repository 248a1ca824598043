/*
 * culprit.h: tells what the detectors inside a native program have found (native/detect/findings.h), with
 * functions and lines.
 */
#ifndef CANON_CLI_CULPRIT_H
#define CANON_CLI_CULPRIT_H

#include "native/detect/findings.h"

#include <stdbool.h>

/* What --detect says, as the program is told; NULL: said what is wrong. malloc'd. */
char *canon_detect_option(const char *wanted);

/* On standard error. `trace`: the recording in which a replay may look for more; NULL: this was the replay.
 */
void canon_culprits_tell(const struct canon_findings *findings, const char *trace);

#endif
