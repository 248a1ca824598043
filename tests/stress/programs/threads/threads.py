"""threads.py SCALE: threads that share a dictionary, a list, a queue and a lock.

Python 2.7, as Jython speaks it. Who was where first is what it prints.
"""
import Queue
import hashlib
import sys
import threading

scale = float(sys.argv[1])
lock, arrived = threading.Lock(), threading.Condition()
totals, log, seen = {}, [], []
queue = Queue.Queue(16)


class Clerk(threading.Thread):
    def __init__(self, number):
        threading.Thread.__init__(self, name='clerk %d' % number)
        self.number, self.sum = number, 0

    def run(self):
        with arrived:
            seen.append(self.number)
            arrived.notifyAll()
        while True:
            task = queue.get()
            if task is None:
                return
            self.work(task)
            if task % 50 == 0:
                log.append((self.number, task))

    def work(self, task):
        for i in range(60):
            key = 'k%d' % ((task * 31 + i * 7) % 257)
            self.sum = (self.sum * 31 + len(key) + i) % 65521
            with lock:
                totals[key] = totals.get(key, 0) + 1
                last[0] = self.number


last = [None]
clerks = [Clerk(number) for number in range(3)]
for clerk in clerks:
    clerk.start()
with arrived:
    while len(seen) < len(clerks):
        arrived.wait()
for task in range(int(6000 * scale)):
    queue.put(task)
for clerk in clerks:
    queue.put(None)
for clerk in clerks:
    clerk.join()

print 'totals', sum(totals.values()), hashlib.md5(repr(sorted(totals.items()))).hexdigest()
print 'arrived', seen, 'last', last, 'sums', [clerk.sum for clerk in clerks]
print 'log', len(log), hashlib.md5(repr(log)).hexdigest(), log[:6]
