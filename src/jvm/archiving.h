/*
 * archiving.h: the agent's part in a JVM that makes an archive of rewritten classes (launch/archive.h). No
 * agent is loaded into such a JVM, and no hook: all its classes come out of the image, and are rewritten
 * there.
 */
#ifndef CANON_JVM_ARCHIVING_H
#define CANON_JVM_ARCHIVING_H

/* The image can be asked now: writes the list of classes that the archive gets. */
void canon_archiving_list(void);

#endif
