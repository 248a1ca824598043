"""work.py FILE THREADS: threads share a queue of pieces of a file; who took which, and when, is printed."""
import hashlib
import json
import queue
import random
import sys
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor, as_completed

PIECE = 1 << 17
data = open(sys.argv[1], 'rb').read()
count = int(sys.argv[2])
work, done = queue.Queue(maxsize=8), []
lock, first = threading.Lock(), threading.Barrier(count)
totals = {}


def worker(name):
    first.wait()
    while (at := work.get()) is not None:
        piece = data[at:at + PIECE]
        digest = hashlib.sha256(piece).hexdigest()[:12]
        size = len(zlib.compress(piece, 6))
        with lock:
            done.append((name, at // PIECE, digest, size, time.monotonic_ns() % 1000))
            totals[name] = totals.get(name, 0) + size
        work.task_done()


threads = [threading.Thread(target=worker, args=('worker %d' % i,)) for i in range(count)]
for thread in threads:
    thread.start()
for at in range(0, len(data), PIECE):
    work.put(at)
for _ in threads:
    work.put(None)
for thread in threads:
    thread.join()
print(json.dumps(done), totals)


def guess(number):
    rng, hits = random.Random(), 0
    for _ in range(20000):
        hits += rng.random() ** 2 + rng.random() ** 2 < 1
    return number, hits, {str(i) for i in range(10)}


with ThreadPoolExecutor(count) as pool:
    for future in as_completed(pool.submit(guess, i) for i in range(12)):
        print(future.result())
print(time.ctime(), hash('x'), id(data))
