# canon-gdb.py: commands of gdb for `canon debug`. A replay is the same each time, so going back is starting again.
# In a recording that stands before its end (`canon record --in-situ --debug`), going back is rolling back to the last
# snapshot; from there on the program is a replay, too.
#
#   canon where            strand, event and operation of the present thread
#   canon events [N]       its last N events, and the next one
#   canon goto EVENT       goes on, or starts again, until the present strand is about to take that event
#   canon last-write EXPR  goes back to where the value of EXPR last changed
#   canon rollback         back to the last snapshot: the epoch is about to begin again
#   canon epoch            what the epoch is: when it began, how far each thread had come and has come now
import os
import re
import struct
import subprocess

import gdb
import gdb.unwinder

CANON = os.environ['CANON_DEBUG_TOOL']
TRACE = os.environ['CANON_DEBUG_TRACE']
PART = os.environ['CANON_DEBUG_PART']
PID = os.environ.get('CANON_DEBUG_PID')  # of a recording that stands before its end


def value(text):
    return gdb.parse_and_eval(text)


class Place:
    """Where a thread is: its strand, the event that comes next, and how many operations it has done."""

    def __init__(self):
        strand = value("canon_self.strand")
        if not int(strand):
            raise gdb.GdbError("this thread has no strand: it has not begun, or has ended")
        self.strand = strand['name'].string()
        self.event = int(strand['position'])
        lane = value("canon_self.lane")
        self.operations = (int(lane['count']) >> 2) if int(lane) else 0


def alive():
    return gdb.selected_inferior().pid != 0


def need_process():
    if not alive():
        raise gdb.GdbError("the replay is not running: `run` starts it")


def name_threads():
    """gdb shows threads by the names of their strands."""
    if not alive():
        return
    before = gdb.selected_thread()
    keeper = int(value("canon_debug_kept->keeper")) if PID else 0
    for thread in gdb.selected_inferior().threads():
        try:
            thread.switch()
            thread.name = Place().strand if thread.ptid[1] != keeper else "canon's own"
        except (gdb.error, gdb.GdbError):
            pass
    if before and before.is_valid():
        before.switch()


class Ready(gdb.Breakpoint):
    """The program begins, and its code is as it will be: the user's breakpoints may be set now."""

    def __init__(self):
        super().__init__("ready_for_debugger", internal=True)
        self.silent = True


def start():
    """Starts the replay; it stands before the first instruction of the program's own, or those of the epoch."""
    if PID:
        roll_back()
    else:
        gdb.execute("run", to_string=True)


def continue_to(function):
    """Goes on until a function of canon's is called; false: the program has ended before."""
    stop = gdb.Breakpoint(function, internal=True)
    stop.silent = True
    try:
        while alive() and not stop.hit_count:
            gdb.execute("continue", to_string=True)
        return alive()
    finally:
        if stop.is_valid():
            stop.delete()


def kept():
    need_process()
    if not PID or not int(value("canon_debug_kept->debugged")):
        raise gdb.GdbError("this is for programs that `canon record --in-situ --debug` has stopped")
    return value("canon_debug_kept").dereference()


def roll_back():
    if not int(kept()['epochs']):
        raise gdb.GdbError("there is no snapshot to go back to")
    gdb.execute("set var canon_debug_kept->wish = CANON_DEBUG_ROLL_BACK")
    if not continue_to("canon_debug_rolled_back"):
        raise gdb.GdbError("the program has ended")


class EpochEnded(gdb.Breakpoint):
    """The epoch has run again."""

    def __init__(self):
        super().__init__("canon_debug_epoch_ended", internal=True)
        self.silent = True

    def stop(self):
        if int(kept()['arrived']):
            print("the epoch has come to the same end again")
        else:
            print("the epoch went another way: " + kept()['why'].string())
        return True


def run_to(strand, event):
    """Goes on until the strand is about to take the event; false: the program has ended before."""
    gdb.execute('set var canon_debug_event = %d' % event)
    data = strand.encode() + b'\0'
    gdb.selected_inferior().write_memory(int(value('(long)&canon_debug_strand')), data)
    stop = gdb.Breakpoint("canon_debug_reached", internal=True)
    stop.silent = True
    try:
        while alive():
            gdb.execute("continue", to_string=True)
            if alive() and stop.hit_count:
                return True
            if alive() and PID and (int(kept()['arrived']) or int(kept()['failed'])):
                return False
        return False
    finally:
        if stop.is_valid():
            stop.delete()


def others_disabled():
    """The user's breakpoints, which must not stop what canon does; returns how to have them back."""
    disabled = [b for b in gdb.breakpoints() if b.enabled and b.visible]
    for breakpoint in disabled:
        breakpoint.enabled = False

    def restore():
        for breakpoint in disabled:
            if breakpoint.is_valid():
                breakpoint.enabled = True
    return restore


class Canon(gdb.Command):
    """Commands for the replay of a canon trace: where, events, goto, last-write."""

    def __init__(self):
        super().__init__("canon", gdb.COMMAND_RUNNING, prefix=True)


class Where(gdb.Command):
    """canon where: strand, event and operation of the present thread."""

    def __init__(self):
        super().__init__("canon where", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        need_process()
        place = Place()
        print("part %s, strand \"%s\", before event %d, after %d operations" %
              (PART, place.strand, place.event, place.operations))


class Rollback(gdb.Command):
    """canon rollback: back to the last snapshot. The epoch is about to begin again: set breakpoints, and continue."""

    def __init__(self):
        super().__init__("canon rollback", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        restore = others_disabled()
        try:
            roll_back()
        finally:
            restore()
        gdb.execute("canon epoch")


class Epoch(gdb.Command):
    """canon epoch: the number of the last epoch, how long it took, and for each thread events and operations: at its
beginning, at the program's end, and now. Threads that have ended are those of their lanes."""

    def __init__(self):
        super().__init__("canon epoch", gdb.COMMAND_STATUS)

    @staticmethod
    def state(what):
        phase = str(what['phase'])
        if int(what['arrived']):
            return "it has come to the same end again"
        return {0: "it is still recorded", 1: "it stands before its end" if not int(what['tries'])
                else "it is about to begin again", 2: "it runs again"}[int(phase)]

    def invoke(self, argument, from_tty):
        what = kept()
        print("epoch %d, the last one: %.3f s; %s" %
              (int(what['epochs']), (int(what['ended_ms']) - int(what['began_ms'])) / 1000, self.state(what)))
        for lane in range(1, int(what['lanes']) + 1):
            now = value("'lane.c'::lanes[%d]" % lane)
            strand = now['strand']
            began, reached = what['began'][lane], what['reached'][lane]
            print("  %-20s event %d to %d, now %d; operation %d to %d, now %d" %
                  (strand['name'].string() if int(strand) else "lane %d" % lane,
                   int(began['events']), int(reached['events']), int(strand['position']) if int(strand) else 0,
                   int(began['operations']), int(reached['operations']), int(now['count']) >> 2))


class Events(gdb.Command):
    """canon events [N]: the last N events (10) of the present thread, and the one that comes next."""

    def __init__(self):
        super().__init__("canon events", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        need_process()
        place, count = Place(), int(argument or 10)
        dump = subprocess.Popen([CANON, "dump", "--part", PART, "--strand", place.strand, TRACE],
                                stdout=subprocess.PIPE, text=True, errors="replace")
        for line in dump.stdout:
            found = re.match(r"\s*(\d+) ", line)
            number = int(found.group(1)) if found else -1
            if place.event - count <= number < place.event:
                print("   " + line.rstrip()[:160])
            elif number == place.event:
                print("=> " + line.rstrip()[:160])
                break
        dump.kill()
        dump.wait()


class Goto(gdb.Command):
    """canon goto EVENT: until the present strand is about to take that event; starts again if that is past."""

    def __init__(self):
        super().__init__("canon goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        need_process()
        place, event = Place(), int(argument)
        restore = others_disabled()
        try:
            if event <= place.event:
                start()
            if event < Place().event and Place().strand == place.strand:
                print("event %d comes before the program's own code" % event)
            elif not run_to(place.strand, event):
                raise gdb.GdbError("the replay ended before event %d of %s" % (event, place.strand))
        finally:
            restore()
        gdb.execute("canon where")


class LastWrite(gdb.Command):
    """canon last-write EXPR: back to where the value of EXPR last changed.

The replay is started again with a watchpoint, once to count the changes up to here, and once more up to the last of
them. "Here" is the event that comes next and the place in the code, when the program first comes there after the
event before: in a loop without events that is its first round."""

    def __init__(self):
        super().__init__("canon last-write", gdb.COMMAND_RUNNING)

    def changes(self, watched, stop_at, most):
        """Runs from the start and counts changes, up to `most` or the place."""
        place, pc, sp = stop_at
        start()
        watch = gdb.Breakpoint(watched, gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True)
        watch.silent = True
        gdb.execute('set var canon_debug_event = %d' % max(place.event - 1, 0))
        gdb.selected_inferior().write_memory(int(value('(long)&canon_debug_strand')),
                                             place.strand.encode() + b'\0')
        reached = gdb.Breakpoint("canon_debug_reached", internal=True)
        reached.silent = True
        here = None
        if place.event == 0:
            here = gdb.Breakpoint("*%#x" % pc, internal=True)
        try:
            while alive() and (most is None or watch.hit_count < most):
                gdb.execute("continue", to_string=True)
                if not alive():
                    break
                if here is None and reached.hit_count:
                    here = gdb.Breakpoint("*%#x" % pc, internal=True)
                    here.silent = True
                elif here is not None and here.hit_count and int(value("(long)$pc")) == pc and \
                        int(value("(long)$sp")) == sp and Place().strand == place.strand:
                    break
            return watch.hit_count if watch.is_valid() else 0
        finally:
            for breakpoint in (watch, reached, here):
                if breakpoint is not None and breakpoint.is_valid():
                    breakpoint.delete()

    def invoke(self, argument, from_tty):
        need_process()
        target = value(argument)
        address, size = int(target.address), target.type.sizeof
        kinds = {1: "char", 2: "short", 4: "int", 8: "long"}
        if size not in kinds:
            raise gdb.GdbError("%s has %d bytes: name a part of it with 1, 2, 4 or 8" % (argument, size))
        watched = "*(%s *) %#x" % (kinds[size], address)
        newest = gdb.newest_frame()
        stop_at = (Place(), newest.pc(), int(value("(long)$sp")))
        restore = others_disabled()
        try:
            count = self.changes(watched, stop_at, None)
            if not count:
                raise gdb.GdbError("nothing has changed %s since the start" % argument)
            self.changes(watched, stop_at, count)
        finally:
            restore()
        print("change %d of %s, the last before:" % (count, argument))
        gdb.execute("canon where")
        gdb.execute("backtrace 8")


# ---- stacks ---------------------------------------------------------------------------------------------------
# A rewritten system call jumps to a trampoline, which calls canon on a stack of its own.

class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class CanonUnwinder(gdb.unwinder.Unwinder):
    ENTRIES = ("canon_entry_syscall", "canon_entry_clone", "canon_entry_cloned")
    # lea 128(%rsp), %rsp: where a trampoline goes on
    BACK = bytes([0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0])

    def __init__(self):
        super().__init__("canon")

    @staticmethod
    def read(address, size):
        return bytes(gdb.selected_inferior().read_memory(address, size))

    def word(self, address):
        return struct.unpack("<Q", self.read(address, 8))[0]

    def unwound(self, frame, sp, pc, rbp):
        info = frame.create_unwind_info(FrameId(gdb.Value(sp), gdb.Value(int(frame.read_register("rip")))))
        for name in ("rbx", "r12", "r13", "r14", "r15"):
            info.add_saved_register(name, frame.read_register(name))
        word = gdb.lookup_type("long")
        info.add_saved_register("rbp", gdb.Value(rbp).cast(word))
        info.add_saved_register("rsp", gdb.Value(sp).cast(word))
        info.add_saved_register("rip", gdb.Value(pc).cast(word))
        return info

    def site_behind(self, pc):
        """Where the jump at the end of a trampoline leads, or None if this is none."""
        code = self.read(pc, 64)
        if not code.startswith(self.BACK):
            return None
        for at in range(len(self.BACK), 48):
            if code[at] == 0xe9:
                target = pc + at + 5 + struct.unpack("<i", code[at + 1:at + 5])[0]
                if gdb.solib_name(target) or gdb.block_for_pc(target):
                    return target
        return None

    def __call__(self, frame):
        try:
            pc = int(frame.read_register("rip"))
            rbp, sp = int(frame.read_register("rbp")), int(frame.read_register("rsp"))
            function = gdb.execute("info symbol %#x" % pc, to_string=True).split()[0]
            if function in self.ENTRIES:
                return self.unwound(frame, rbp + 16, self.word(rbp + 8), self.word(rbp))
            if function == "No":
                site = self.site_behind(pc)
                if site:
                    return self.unwound(frame, sp + 128, site, rbp)
        except (gdb.error, gdb.MemoryError):
            pass
        return None


for command in (Canon, Where, Events, Goto, LastWrite, Rollback, Epoch):
    command()
gdb.unwinder.register_unwinder(None, CanonUnwinder(), replace=True)
gdb.events.stop.connect(lambda event: name_threads())
gdb.execute("set breakpoint pending on")
if PID:
    gdb.execute("attach " + PID)
    ended = EpochEnded()
    gdb.execute("canon epoch")
else:
    ready = Ready()
    start()
