#!/usr/bin/env python3
"""report.py DIR: makes tables, the same in Markdown, and plots for each JDK of DIR/runs.tsv and DIR/traces.tsv.

Ratios are of medians over the rounds. The plot's whiskers are the quartiles of the ratios of single rounds.
"""
import csv
import math
import re
import statistics
import subprocess
import sys

COSTS = ['program', 'plain s', 'record', 'replay', 'CPU s', 'record', 'replay', 'trace MB', 'raw MB', 'events',
         'events/s', 'rounds']
ORDER = ['program', 'operations', 'operations/s', 'edges', 'log MB', 'B/operation', 'engine MB', 'peak RSS']
ENGINES = ['program', 'edges wall', 'CPU', 'B/op', 'trace MB', 'vector wall', 'CPU', 'B/op', 'trace MB',
           'monitors wall', 'CPU', 'B/op', 'trace MB']
GROWTH = ['threads', 'plain s', 'operations', 'edges: record', 'replay', 'CPU', 'CPU', 'B/op', 'vector: record', 'replay',
          'CPU', 'CPU', 'B/op']


def read(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file, delimiter='\t'))


class Program:
    """The runs of one program on one JDK; its traces by how they were recorded: record, vector, monitors."""

    def __init__(self, name, runs, traces):
        self.name, self.trace = name, traces['record']
        self.traces = traces
        self.rounds = {}
        for run in runs:
            self.rounds.setdefault(run['round'], {})[run['mode']] = run
        growth = re.fullmatch(r'growth(\d+)', name)
        self.threads = int(growth.group(1)) if growth else None
        self.ordered = int(self.trace['operations']) > 0

    def values(self, mode, what):
        return [float(modes[mode][what]) for modes in self.rounds.values()
                if mode in modes and modes[mode]['status'] == '0']

    def median(self, mode, what):
        values = self.values(mode, what)
        return statistics.median(values) if values else math.nan

    def ratio(self, mode, what):
        return self.median(mode, what) / self.median('plain', what)

    def quartiles(self, mode, what):
        """Of the ratios to the plain run of the same round."""
        ratios = [float(modes[mode][what]) / float(modes['plain'][what]) for modes in self.rounds.values()
                  if mode in modes and 'plain' in modes]
        if len(ratios) < 2:
            return self.ratio(mode, what), self.ratio(mode, what)
        low, _, high = statistics.quantiles(ratios, n=4, method='inclusive')
        return low, high

    def costs(self):
        events = int(self.trace['events'])
        return [self.name, '%.2f' % (self.median('plain', 'wall_ms') / 1e3), times(self.ratio('record', 'wall_ms')),
                times(self.ratio('replay', 'wall_ms')), '%.2f' % (self.median('plain', 'cpu_ms') / 1e3),
                times(self.ratio('record', 'cpu_ms')), times(self.ratio('replay', 'cpu_ms')),
                megabytes(self.trace['disk_bytes']), megabytes(self.trace['raw_bytes']),
                str(events), '%.0f' % (events / self.median('record', 'wall_ms') * 1e3),
                '/'.join(str(len(self.values(mode, 'wall_ms'))) for mode in ('plain', 'record', 'replay'))]

    def order(self):
        operations = int(self.trace['operations'])
        return [self.name, str(operations), '%.0f' % (operations / self.median('record', 'wall_ms') * 1e3),
                self.trace['edges'], megabytes(self.trace['log_bytes']), self.bytes_each('record'),
                megabytes(self.trace['memory_bytes']), times(self.ratio('record', 'peak_kb'))]

    def bytes_each(self, engine):
        """Of the log, for each operation that was ordered; before compression."""
        trace = self.traces.get(engine)
        return '%.4f' % (int(trace['log_bytes']) / max(1, int(trace['operations']))) if trace else 'nan'

    def engines(self):
        row = [self.name]
        for mode in ('record', 'vector', 'monitors'):
            row += [times(self.ratio(mode, 'wall_ms')), times(self.ratio(mode, 'cpu_ms')), self.bytes_each(mode),
                    megabytes(self.traces[mode]['disk_bytes']) if mode in self.traces else 'nan']
        return row

    def growth(self):
        row = [str(self.threads), '%.2f' % (self.median('plain', 'wall_ms') / 1e3), self.trace['operations']]
        for record, replay in (('record', 'replay'), ('vector', 'vector-replay')):
            row += [times(self.ratio(mode, what)) for what in ('wall_ms', 'cpu_ms') for mode in (record, replay)]
            row += [self.bytes_each(record)]
        return row


def times(ratio):
    return '%.3f' % ratio


def megabytes(count):
    return '%.2f' % (int(count) / 1e6)


def geometric_mean(values):
    values = [value for value in values if not math.isnan(value)]
    return math.exp(statistics.mean(map(math.log, values))) if values else math.nan


def mean_costs(programs):
    means = [times(geometric_mean([program.ratio(mode, what) for program in programs]))
             for what in ('wall_ms', 'cpu_ms') for mode in ('record', 'replay')]
    return ['geom. mean', '', means[0], means[1], '', means[2], means[3], '', '', '', '', '']


def mean_engines(programs):
    row = ['geom. mean']
    for mode in ('record', 'vector', 'monitors'):
        row += [times(geometric_mean([program.ratio(mode, what) for program in programs]))
                for what in ('wall_ms', 'cpu_ms')]
        sizes = [float(program.bytes_each(mode)) for program in programs]  # some are next to nothing
        row += [times(statistics.mean([size for size in sizes if not math.isnan(size)] or [math.nan])), '']
    return row


def start_up(hello):
    """What a program pays that does nothing."""
    lines = []
    for label, what in (('wall', 'wall_ms'), ('CPU', 'cpu_ms')):
        plain = hello.median('plain', what)
        lines.append('start-up, %s: plain %.0f ms, record %+.0f ms, replay %+.0f ms' % (
            label, plain, hello.median('record', what) - plain, hello.median('replay', what) - plain))
    return lines


def as_text(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return '\n'.join('  '.join(cell.ljust(width) if column == 0 else cell.rjust(width)
                               for column, (cell, width) in enumerate(zip(row, widths))) for row in rows)


def as_markdown(rows):
    lines = ['| ' + ' | '.join(row) + ' |' for row in rows]
    lines.insert(1, '|---|' + '---:|' * (len(rows[0]) - 1))
    return '\n'.join(lines)


def gnuplot(directory, jdk, script):
    subprocess.run(['gnuplot', '-e', 'jdk="%s"; dir="%s"' % (jdk, directory), '%s/%s' % (sys.path[0], script)], check=True)


def plot_costs(directory, jdk, programs):
    """Bars of the four ratios of each program."""
    with open('%s/plot-jdk%s.dat' % (directory, jdk), 'w') as data:
        for program in programs:
            cells = []
            for what in ('wall_ms', 'cpu_ms'):
                for mode in ('record', 'replay'):
                    cells += ['%.4f' % value for value in (program.ratio(mode, what), *program.quartiles(mode, what))]
            print(program.name, *cells, file=data)
        means = [geometric_mean([program.ratio(mode, what) for program in programs])
                 for what in ('wall_ms', 'cpu_ms') for mode in ('record', 'replay')]
        print('"geom. mean"', *('%.4f %.4f %.4f' % (mean, mean, mean) for mean in means), file=data)
    gnuplot(directory, jdk, 'plot.gp')


def plot_growth(directory, jdk, programs):
    """Lines over the number of threads: what both engines cost, and how much they log."""
    with open('%s/growth-jdk%s.dat' % (directory, jdk), 'w') as data:
        for program in programs:
            print(program.threads, *('%.4f' % program.ratio(mode, 'wall_ms')
                                     for mode in ('record', 'replay', 'vector', 'vector-replay')),
                  program.bytes_each('record'), program.bytes_each('vector'), file=data)
    gnuplot(directory, jdk, 'growth.gp')


class Report:
    """Collects the tables of one JDK, for the terminal and as Markdown."""

    def __init__(self, jdk):
        self.markdown = ['## JDK %s' % jdk, '']
        self.jdk = jdk

    def table(self, title, rows):
        print('\nJDK %s, %s:\n\n%s' % (self.jdk, title, as_text(rows)))
        self.markdown += [title[0].upper() + title[1:] + ':', '', as_markdown(rows), '']

    def picture(self, title, name):
        self.markdown += ['![%s](%s)' % (title, name), '']

    def notes(self, lines):
        print('\n'.join(lines))
        self.markdown += ['- ' + line for line in lines] + [''] * bool(lines)


def report(directory, jdk, programs):
    out = Report(jdk)
    real = [program for program in programs if program.name != 'hello' and not program.threads]
    ordered = [program for program in real if program.ordered]
    growth = [program for program in programs if program.threads]
    if real:
        out.table('ratios to the plain run (wall, then CPU)', [COSTS] + [each.costs() for each in real] + [mean_costs(real)])
        plot_costs(directory, jdk, real)
        out.picture('ratios to the plain run, JDK %s' % jdk, 'plot-jdk%s.svg' % jdk)
    if ordered:
        out.table('the order of threads', [ORDER] + [each.order() for each in ordered])
        out.table('recording with edges, with a vector clock, with one of monitors only',
                  [ENGINES] + [each.engines() for each in ordered] + [mean_engines(ordered)])
    if growth:
        out.table('the same work with more threads (wall, then CPU)', [GROWTH] + [each.growth() for each in growth])
        plot_growth(directory, jdk, growth)
        out.picture('the same work with more threads, JDK %s' % jdk, 'growth-jdk%s.svg' % jdk)
    out.notes([line for program in programs if program.name == 'hello' for line in start_up(program)])
    return out.markdown


def main(directory):
    runs, traces = read(directory + '/runs.tsv'), read(directory + '/traces.tsv')
    markdown = []
    for jdk in sorted({trace['jdk'] for trace in traces}):
        names = [trace['program'] for trace in traces if (trace['jdk'], trace['engine']) == (jdk, 'record')]
        markdown += report(directory, jdk, [
            Program(name, [run for run in runs if (run['program'], run['jdk']) == (name, jdk)],
                    {trace['engine']: trace for trace in traces if (trace['program'], trace['jdk']) == (name, jdk)})
            for name in names])
    with open(directory + '/results.md', 'w') as file:
        file.write('\n'.join(markdown))
    print('\ntables, plots and raw figures: %s' % directory)


if __name__ == '__main__':
    main(sys.argv[1])
