#!/usr/bin/env python3
"""inputs.py: makes what the stress programs read, from fixed seeds: the same bytes everywhere.

  inputs.py text FILE SCALE      lines of made-up prose
  inputs.py svg DIR SCALE        drawings with gradients, filters, clips, dashes and text
  inputs.py fo DIR SCALE         an XSL-FO document with tables, footnotes and SVG pictures
  inputs.py catalog FILE SCALE   an XML catalogue
  inputs.py java DIR SCALE       a tree of Java classes that use one another
  inputs.py queries FILE SCALE   questions to an index of the lines of `text`
  inputs.py data FILE MEGABYTES  bytes that compress to about a third
  inputs.py jar FROM TO          a private copy of a jar, cut loose from the jars its manifest names
"""
import os
import random
import sys
import zipfile

HEADS = 'bal cor dun el fen gar hol im jar kest lum mor nel or pra quen ros sil tam ul ver wyn yar zeph'.split()
TAILS = 'a an ed en er eth ic il ing is on or ous um ward ly th ra do mi'.split()


class Prose(random.Random):
    """Random choices, and words that are frequent or rare as words are."""

    def __init__(self, seed):
        super().__init__(seed)
        maker = random.Random(7)
        self.vocabulary = sorted({maker.choice(HEADS) + maker.choice(['', maker.choice(HEADS)]) + maker.choice(TAILS)
                                  for _ in range(6000)})
        maker.shuffle(self.vocabulary)

    def word(self):
        return self.vocabulary[int(len(self.vocabulary) * self.random() ** 3)]

    def words(self, count):
        return ' '.join(self.word() for _ in range(count))

    def sentence(self):
        return self.words(self.randint(5, 18)).capitalize() + self.choice(['.', '.', '.', '?', '!'])

    def color(self):
        return '#%06x' % self.randrange(1 << 24)


def save(path, parts):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(parts) + '\n')


def text(path, scale):
    prose = Prose(11)
    save(path, ['%05d %s <%s@%s.example> %s' % (number, prose.choice(['note', 'mail', 'memo']), prose.word(),
                                                prose.word(), prose.sentence())
                for number in range(int(20000 * scale))])


def data(path, megabytes):
    prose = Prose(31)
    words = ' '.join(prose.sentence() for _ in range(4000)).encode()
    with open(path, 'wb') as file:
        for _ in range(int(megabytes * 16)):
            block = b''
            while len(block) < 1 << 16:
                at = prose.randrange(len(words) - 400)
                block += words[at:at + prose.randint(20, 400)] + prose.randbytes(prose.randint(0, 40))
            file.write(block[:1 << 16])


def queries(path, scale):
    prose = Prose(29)
    save(path, [prose.choice([prose.word(), prose.words(2), prose.words(3), '+%s -%s' % (prose.word(), prose.word()),
                              '%s*' % prose.word()[:3], '"%s"' % prose.words(2), '%s~' % prose.word()])
                for _ in range(max(50, int(400 * scale)))])


# ---- drawings ----------------------------------------------------------------------------------

def drawing(prose, shapes, size=600):
    yield '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d"><defs>' % ((size,) * 4)
    for number in range(4):
        yield ('<linearGradient id="line%d" x2="1" y2="%d"><stop offset="0.1" stop-color="%s"/>'
               '<stop offset="0.9" stop-color="%s" stop-opacity="0.5"/></linearGradient>'
               % (number, number % 2, prose.color(), prose.color()))
        yield ('<radialGradient id="ring%d" cx="0.3"><stop offset="0" stop-color="%s"/>'
               '<stop offset="1" stop-color="%s"/></radialGradient>' % (number, prose.color(), prose.color()))
    yield '<filter id="soft"><feGaussianBlur stdDeviation="3"/></filter>'
    yield '<clipPath id="hole"><circle cx="%d" cy="%d" r="%d"/></clipPath></defs>' % (size / 2, size / 2, size / 3)
    for _ in range(shapes):
        yield shape(prose, size)
    yield '</svg>'


def shape(prose, size):
    def at():
        return prose.randint(0, size)
    fill = prose.choice([prose.color(), 'url(#line%d)' % prose.randrange(4), 'url(#ring%d)' % prose.randrange(4)])
    look = prose.choice(['', '', 'opacity="0.6"', 'clip-path="url(#hole)"', 'transform="rotate(%d)"' % prose.randint(-20, 20),
                         'stroke="%s" stroke-width="3" stroke-dasharray="9 4 2"' % prose.color()])
    if prose.random() < 0.06:
        look = 'filter="url(#soft)"'
    kind = prose.randrange(5)
    if kind == 0:
        return '<circle cx="%d" cy="%d" r="%d" fill="%s" %s/>' % (at(), at(), prose.randint(4, 60), fill, look)
    if kind == 1:
        return '<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="%s" %s/>' % (
            at(), at(), prose.randint(5, 120), prose.randint(5, 120), fill, look)
    if kind == 2:
        curve = ' '.join('Q%d %d %d %d' % (at(), at(), at(), at()) for _ in range(5))
        return '<path d="M%d %d %s Z" fill="%s" %s/>' % (at(), at(), curve, fill, look)
    if kind == 3:
        return '<polyline points="%s" fill="none" stroke="%s" stroke-linejoin="round" stroke-width="%d"/>' % (
            ' '.join('%d,%d' % (at(), at()) for _ in range(8)), prose.color(), prose.randint(1, 6))
    return '<text x="%d" y="%d" font-size="%d" font-family="sans-serif" fill="%s">%s</text>' % (
        at(), at(), prose.randint(9, 36), fill, prose.words(2))


def svg(directory, scale):
    prose = Prose(13)
    for number in range(max(2, int(9 * scale))):
        save('%s/drawing%02d.svg' % (directory, number), drawing(prose, 180))


# ---- documents ---------------------------------------------------------------------------------

FO_HEAD = '''<?xml version="1.0"?>
<fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format" font-family="serif" font-size="10pt">
<fo:layout-master-set>
<fo:simple-page-master master-name="page" page-width="210mm" page-height="297mm" margin="18mm">
<fo:region-body margin="12mm 0"/><fo:region-before extent="10mm"/><fo:region-after extent="10mm"/>
</fo:simple-page-master></fo:layout-master-set>
<fo:page-sequence master-reference="page">
<fo:static-content flow-name="xsl-region-before"><fo:block text-align="end">
<fo:retrieve-marker retrieve-class-name="title"/></fo:block></fo:static-content>
<fo:static-content flow-name="xsl-region-after"><fo:block text-align="center">
<fo:page-number/> / <fo:page-number-citation-last ref-id="all"/></fo:block></fo:static-content>
<fo:flow flow-name="xsl-region-body" id="all">'''


def fo_table(prose, rows, columns):
    yield '<fo:table table-layout="fixed" width="100%" font-size="7pt" space-after="8pt">'
    yield '<fo:table-header><fo:table-row font-weight="bold">%s</fo:table-row></fo:table-header><fo:table-body>' % ''.join(
        '<fo:table-cell border="1pt solid"><fo:block>%s</fo:block></fo:table-cell>' % prose.word() for _ in range(columns))
    for _ in range(rows):
        yield '<fo:table-row keep-together="always">%s</fo:table-row>' % ''.join(
            '<fo:table-cell border="0.4pt solid %s" padding="1pt"><fo:block text-align="%s">%s</fo:block></fo:table-cell>'
            % (prose.color(), prose.choice(['start', 'end', 'center']),
               prose.choice([prose.word(), prose.words(3), '%.2f' % (prose.random() * 9999)])) for _ in range(columns))
    yield '</fo:table-body></fo:table>'


def fo(directory, scale):
    prose = Prose(17)
    save(directory + '/picture.svg', drawing(prose, 25, 300))
    parts = [FO_HEAD]
    for chapter in range(max(3, int(30 * scale))):
        title = prose.words(4).title()
        parts.append('<fo:block font-size="16pt" space-before="14pt" keep-with-next="always"><fo:marker '
                     'marker-class-name="title">%s</fo:marker>%d. %s</fo:block>' % (title, chapter + 1, title))
        for paragraph in range(5):
            note = ('<fo:footnote><fo:inline>*</fo:inline><fo:footnote-body><fo:block font-size="8pt">%s</fo:block>'
                    '</fo:footnote-body></fo:footnote>' % prose.sentence()) if paragraph == 2 else ''
            parts.append('<fo:block text-align="justify" space-after="5pt">%s%s '
                         '<fo:inline color="%s" font-style="italic">%s</fo:inline></fo:block>'
                         % (' '.join(prose.sentence() for _ in range(8)), note, prose.color(), prose.sentence()))
        parts.extend(fo_table(prose, prose.randint(8, 24), prose.randint(2, 5)))
        if chapter % 6 == 1:
            parts.append('<fo:block text-align="center"><fo:external-graphic src="url(picture.svg)" '
                         'content-width="60mm"/></fo:block>')
        if chapter % 6 == 4:
            parts.append('<fo:block><fo:instream-foreign-object content-width="50mm">%s</fo:instream-foreign-object>'
                         '</fo:block>' % '\n'.join(drawing(prose, 10, 200)))
    parts.append('</fo:flow></fo:page-sequence></fo:root>')
    save(directory + '/document.fo', parts)


def catalog(path, scale):
    prose = Prose(19)
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', '<catalog>']
    for number in range(max(50, int(6500 * scale))):
        tags = ''.join('<tag>%s</tag>' % prose.word() for _ in range(prose.randint(1, 5)))
        parts.append('<item id="n%d" shelf="%s" price="%d.%02d"><title>%s</title><by>%s</by>%s<about>%s</about></item>' % (
            number, prose.choice(HEADS), prose.randint(1, 300), prose.randrange(100), prose.words(3).title(),
            prose.words(2).title(), tags, ' '.join(prose.sentence() for _ in range(3))))
    save(path, parts + ['</catalog>'])


# ---- Java sources ------------------------------------------------------------------------------

JAVA_CLASS = '''package tree.p{package};

import java.util.*;
import java.util.function.*;
import java.util.stream.*;
{imports}
/** {about} */
public final class C{number} implements Comparable<C{number}>, Supplier<List<String>> {{
    public enum Tone {{ {tones} }}
    public record Pair<A, B extends Comparable<? super B>>(A first, B second) {{
        <R> R fold(BiFunction<? super A, ? super B, ? extends R> with) {{ return with.apply(first, second); }}
    }}
    sealed interface Shape permits Dot, Bar {{ }}
    record Dot(int x) implements Shape {{ }}
    record Bar(int x, String name) implements Shape {{ }}

    private static final Map<String, Integer> WEIGHTS = new TreeMap<>(Map.of({weights}));
    private final int seed;
    private final Deque<Pair<Tone, Integer>> pairs = new ArrayDeque<>();

    public C{number}(int seed) {{
        this.seed = seed;
        for (Tone tone : Tone.values())
            pairs.add(new Pair<>(tone, tone.ordinal() * seed));
    }}
{methods}
    static int area(Shape shape) {{
        if (shape instanceof Bar bar && bar.name().length() > {number} % 7)
            return bar.x() * 2;
        return shape instanceof Dot dot ? dot.x() : 0;
    }}

    @Override public int compareTo(C{number} other) {{ return Integer.compare(seed, other.seed); }}

    @Override public List<String> get() {{
        Comparator<Pair<Tone, Integer>> order = Comparator.comparing(Pair::second);
        Function<Pair<Tone, Integer>, String> name = pair -> pair.fold((tone, weight) -> tone.name() + weight);
        return pairs.stream().sorted(order.reversed()).map(name).collect(Collectors.toList());
    }}
}}'''

JAVA_METHODS = [
    '''    public String say{n}(String word) {{
        return switch (word.length() % 4) {{
            case 0 -> "{a}".repeat(seed & 3);
            case 1 -> {{ var text = new StringBuilder(word); yield text.reverse().append("{b}").toString(); }}
            default -> String.format("%s-%d-{c}", word, seed);
        }};
    }}''',
    '''    public <T extends Comparable<T>> Optional<T> best{n}(Collection<? extends T> all, Predicate<? super T> wanted) {{
        T best = null;
        for (T one : all)
            if (wanted.test(one) && (best == null || one.compareTo(best) > 0))
                best = one;
        return Optional.ofNullable(best);
    }}''',
    '''    public long sum{n}(int... numbers) {{
        long total = WEIGHTS.getOrDefault("{a}", {n});
        outer:
        for (int i = 0; i < numbers.length; i++) {{
            try {{
                for (int j = i; j > 0; j >>= 1) {{
                    if (numbers[j] % (seed | 1) == 3) continue outer;
                    total += numbers[j] ^ (long) j << 3;
                }}
            }} catch (ArithmeticException | ArrayIndexOutOfBoundsException trouble) {{
                total -= trouble.getMessage() == null ? 1 : trouble.getMessage().length();
            }} finally {{
                total++;
            }}
        }}
        return total;
    }}''',
    '''    public Map<Boolean, List<String>> split{n}(Stream<String> words) {{
        Function<String, Integer> length = String::length;
        return words.filter(Objects::nonNull).map(String::strip)
            .collect(Collectors.partitioningBy(word -> length.andThen(x -> x > seed % 9).apply(word)));
    }}''',
    '''    public Runnable task{n}(List<? super Tone> into) {{
        return new Runnable() {{
            private int runs;
            @Override public void run() {{
                runs++;
                into.add(Tone.values()[(runs + seed) % Tone.values().length]);
                {other}
            }}
        }};
    }}''',
]


def java(directory, scale):
    prose = Prose(23)
    for number in range(max(12, int(110 * scale))):
        friends = sorted({prose.randrange(number) for _ in range(3)}) if number else []
        methods = []
        for n in range(4):
            friend = friends[n % len(friends)] if friends else None
            other = 'into.forEach(one -> new tree.p%d.C%d(runs).get());' % (friend % 12, friend) if friends else ''
            methods.append(prose.choice(JAVA_METHODS).format(n=n, a=prose.word(), b=prose.word(), c=prose.word(), other=other))
        save('%s/tree/p%d/C%d.java' % (directory, number % 12, number), [JAVA_CLASS.format(
            package=number % 12, number=number, about=prose.sentence(), methods='\n\n'.join(methods) + '\n',
            tones=', '.join(sorted({prose.word().upper() for _ in range(5)})),
            weights=', '.join('"%s", %d' % (word, prose.randrange(99)) for word in sorted({prose.word() for _ in range(4)})),
            imports='\n'.join('import tree.p%d.C%d;' % (friend % 12, friend) for friend in friends))])


def jar(source, target):
    """The copy names no other jar, so that all of its class path can be moved away."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == 'META-INF/MANIFEST.MF':
                lines = data.replace(b'\r\n', b'\n').replace(b'\n ', b'').split(b'\n')
                data = b'\n'.join(line for line in lines if not line.startswith(b'Class-Path:') and len(line) < 500)
            new.writestr(entry, data)


if __name__ == '__main__':
    kind, first, second = sys.argv[1:]
    if kind == 'jar':
        jar(first, second)
    else:
        {'text': text, 'svg': svg, 'fo': fo, 'catalog': catalog, 'java': java,
         'queries': queries, 'data': data}[kind](first, float(second))
