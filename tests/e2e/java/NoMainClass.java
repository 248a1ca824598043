// A class that is not there: java's own message and status.
// exit: 1
// proof: none, a live run fails in the same way
// stderr: ^Error: Could not find or load main class NoSuchClassHere
class NoMainClass { }
