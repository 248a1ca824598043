/*
 * report.h: what a person is told when a replay cannot go on, as far as Java and native programs have it in
 * common. Who ends the replay adds what it knows, and writes it out.
 */
#ifndef CANON_ORDER_REPORT_H
#define CANON_ORDER_REPORT_H

#include "role/role.h"

struct canon_report {
    char bytes[65536];
    size_t used;
};

void canon_report_add(struct canon_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What happened, where, what was expected; or that the recording was cut off here. */
void canon_report_begin(struct canon_report *report, const struct canon_divergence *divergence);
/* What came before it; what every strand waits for, if that is the matter. */
void canon_report_past(struct canon_report *report, const struct canon_divergence *divergence);

#endif
