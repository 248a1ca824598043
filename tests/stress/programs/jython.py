"""jython.py TEXT SCALE: loops, objects and dictionaries, then the library: json, regular expressions, decimals, hashes.

Python 2.7, as Jython speaks it. What it prints depends on the text, the clock, the random seed and the hashes of objects.
"""
import sys
import time

started = time.time()
path, scale = sys.argv[1], float(sys.argv[2])


class Node(object):
    def __init__(self, key, weight):
        self.key, self.weight, self.left, self.right = key, weight, None, None

    def insert(self, key, weight):
        node = self
        while True:
            if key == node.key:
                node.weight += weight
                return node
            side = 'left' if key < node.key else 'right'
            child = getattr(node, side)
            if child is None:
                child = Node(key, weight)
                setattr(node, side, child)
                return child
            node = child

    def walk(self):
        for child in (self.left, self.right):
            if child is not None:
                for node in child.walk():
                    yield node
        yield self


def stones(rounds):
    root, ring, total = Node(512, 1), [0] * 64, 0
    for i in range(rounds):
        node = root.insert((i * 7919 + total) % 1024, i & 7)
        ring[i % 64] ^= node.weight * 31
        text = '%d:%s' % (ring[(i + 1) % 64], node.key)
        total = (total * 3 + len(text) + ord(text[-1])) % 65521
    return total, sum(ring), sum(node.weight for node in root.walk())


def sieve(limit):
    flags = [True] * limit
    for i in range(2, int(limit ** 0.5) + 1):
        if flags[i]:
            flags[i * i::i] = [False] * len(range(i * i, limit, i))
    return sum(flags) - 2


def mandel(size):
    rows = []
    for y in range(size):
        row = ''
        for x in range(size):
            c, z, n = complex(3.0 * x / size - 2.2, 2.4 * y / size - 1.2), 0j, 0
            while abs(z) < 2 and n < 30:
                z, n = z * z + c, n + 1
            row += chr(65 + n % 26)
        rows.append(row)
    return '\n'.join(rows)


print 'stones', stones(int(80000 * scale))
print 'sieve', sieve(int(150000 * scale))

import collections, decimal, hashlib, heapq, itertools, json, os, random, re, string, uuid  # imports are part of the work

with open(path) as source:
    lines = source.read().splitlines()
lines = lines[:int(len(lines) * 0.25)]
pattern = re.compile(r'^(\d+) (\w+) <(?P<user>[^@]+)@([\w.]+)> (.*?)([.?!])$')
users, marks = collections.Counter(), collections.defaultdict(list)
for line in lines:
    found = pattern.match(line)
    users[found.group('user')] += 1
    marks[found.group(6)].append(len(found.group(5).split()))
print 'users', users.most_common(5), sorted((mark, sum(counts)) for mark, counts in marks.items())
words = collections.Counter(itertools.chain.from_iterable(re.findall(r'[a-z]+', line) for line in lines))
print 'words', heapq.nlargest(5, words.items(), key=lambda item: (item[1], item[0]))

text = json.dumps({'users': users, 'sample': lines[:300]}, sort_keys=True, indent=1)
print 'json', len(text), json.loads(text)['users'] == dict(users), hashlib.sha256(text).hexdigest()
print 'mandel', hashlib.md5(mandel(int(60 * scale ** 0.5))).hexdigest()
decimal.getcontext().prec = 60
print 'decimal', sum((decimal.Decimal(1) / n for n in range(1, int(600 * scale))), decimal.Decimal(0))
print 'template', string.Template('$who has $count lines').substitute(who=os.path.basename(path), count=len(lines))

print 'dict order', list(set(lines[0].split())), {object(): 1}.keys()
print 'random', random.random(), [random.randrange(1000) for _ in range(8)], uuid.uuid4()
print 'now', time.ctime(), 'took', time.time() - started, 'listing', sorted(os.listdir(os.path.dirname(path) or '.'))
