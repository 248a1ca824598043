#!/usr/bin/env python3
"""Compares what the strands of a recording and of a replay did, operation by operation.

    CANON_TEST_OPTRACE=DIR canon record --order=edges -o TRACE -- java ...
    CANON_TEST_OPTRACE=DIR canon replay TRACE
    tests/support/optrace.py DIR [STRAND...]

For each strand (all, if none is named): the first operation that differs, with what was done before it and after; first
the one that came first in the replay.
"""
import array
import pathlib
import sys

BEFORE, AFTER = 4, 6


def names(path):
    out = {}
    for line in path.read_text(errors="replace").splitlines():
        number, _, text = line.partition(" ")
        out[int(number)] = text
    return out


def operations(path):
    data = array.array("I")
    raw = path.read_bytes()
    data.frombytes(raw[: len(raw) // 12 * 12])
    return list(zip(data[0::3], data[1::3], data[2::3]))


def is_same(known, a, b):
    """Who made the JVM ask a class loader for a class may be another one in a replay."""
    if a[0] != b[0]:
        return False
    frames = [names.get(entry[1], "?").split(" ") for names, entry in zip(known, (a, b))]
    if frames[0][0].startswith("sun.nio.ch.NativeThreadSet."):
        return True  # there is none in a replay
    for x, y in zip(*frames):
        if x != y:
            return False
        if ".loadClass:" in x:
            break
    return True


def first_difference(known, left, right):
    for i, (a, b) in enumerate(zip(left, right)):
        if not is_same(known, a, b):
            return i
    return min(len(left), len(right))


def show(title, known, entries, at):
    print(f"  {title}")
    for i in range(max(0, at - BEFORE), min(len(entries), at + AFTER)):
        count, place, moment = entries[i]
        frames = known.get(place, "?").split(" ")
        print(f"  {'>' if i == at else ' '} {count}: {' '.join(frames[:7])}" + (f" [{moment}]" if i == at else ""))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    wanted = [s.replace(" ", "_") for s in sys.argv[2:]]
    known = names(folder / "record-names"), names(folder / "replay-names")
    different = []
    for record in sorted(folder.glob("record-*")):
        strand = record.name[len("record-"):]
        replay = folder / f"replay-{strand}"
        if strand == "names" or (wanted and strand not in wanted):
            continue
        left = operations(record)
        right = operations(replay) if replay.exists() else []
        at = first_difference(known, left, right)
        if at == len(left) == len(right):
            continue
        whole = at == len(right) and not wanted
        different.append((1 << 32 if at >= len(right) else right[at][2], strand, left, right, at, whole))
    for _, strand, left, right, at, whole in sorted(different, key=lambda d: d[:2]):
        print(f"{strand}: {len(left)} recorded, {len(right)} replayed" + (", equal so far" if whole else ""))
        if not whole:
            show("recording", known[0], left, at)
            show("replay", known[1], right, at)


main()
