#!/usr/bin/env python3
"""report.py DIR: makes a table, a Markdown table and a plot a JDK of DIR/runs.tsv and DIR/traces.tsv.

Ratios are of medians over the rounds. The plot's whiskers are the quartiles of the ratios of single rounds.
"""
import csv
import math
import statistics
import subprocess
import sys

HEADINGS = ['program', 'plain s', 'record', 'replay', 'CPU s', 'record', 'replay', 'trace MB', 'raw MB', 'events',
            'events/s', 'rounds']


def read(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file, delimiter='\t'))


class Program:
    """The runs of one program on one JDK."""

    def __init__(self, name, runs, trace):
        self.name, self.trace = name, trace
        self.rounds = {}
        for run in runs:
            self.rounds.setdefault(run['round'], {})[run['mode']] = run

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

    def row(self):
        events = int(self.trace['events'])
        return [self.name, '%.2f' % (self.median('plain', 'wall_ms') / 1e3), times(self.ratio('record', 'wall_ms')),
                times(self.ratio('replay', 'wall_ms')), '%.2f' % (self.median('plain', 'cpu_ms') / 1e3),
                times(self.ratio('record', 'cpu_ms')), times(self.ratio('replay', 'cpu_ms')),
                '%.2f' % (int(self.trace['disk_bytes']) / 1e6), '%.2f' % (int(self.trace['raw_bytes']) / 1e6),
                str(events), '%.0f' % (events / self.median('record', 'wall_ms') * 1e3),
                '/'.join(str(len(self.values(mode, 'wall_ms'))) for mode in ('plain', 'record', 'replay'))]


def times(ratio):
    return '%.3f' % ratio


def geometric_mean(values):
    values = [value for value in values if not math.isnan(value)]
    return math.exp(statistics.mean(map(math.log, values))) if values else math.nan


def mean_row(programs):
    means = [times(geometric_mean([program.ratio(mode, what) for program in programs]))
             for what in ('wall_ms', 'cpu_ms') for mode in ('record', 'replay')]
    return ['geom. mean', '', means[0], means[1], '', means[2], means[3], '', '', '', '', '']


def start_up(hello):
    """What a program pays that does nothing."""
    lines = []
    for label, what in (('wall', 'wall_ms'), ('CPU', 'cpu_ms')):
        plain = hello.median('plain', what)
        lines.append('start-up, %s: plain %.0f ms, record %+.0f ms, replay %+.0f ms' % (
            label, plain, hello.median('record', what) - plain, hello.median('replay', what) - plain))
    return lines


def as_text(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return '\n'.join('  '.join(cell.ljust(width) if column == 0 else cell.rjust(width)
                               for column, (cell, width) in enumerate(zip(row, widths))) for row in rows)


def as_markdown(rows):
    lines = ['| ' + ' | '.join(row) + ' |' for row in rows]
    lines.insert(1, '|---|' + '---:|' * (len(HEADINGS) - 1))
    return '\n'.join(lines)


def plot(directory, jdk, programs):
    """Bars of the four ratios of each program, with gnuplot."""
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
    script = sys.path[0] + '/plot.gp'
    subprocess.run(['gnuplot', '-e', 'jdk="%s"; dir="%s"' % (jdk, directory), script], check=True)


def main(directory):
    runs, traces = read(directory + '/runs.tsv'), read(directory + '/traces.tsv')
    markdown = []
    for jdk in sorted({trace['jdk'] for trace in traces}):
        programs = [Program(trace['program'], [run for run in runs if (run['program'], run['jdk']) == (trace['program'], jdk)],
                            trace) for trace in traces if trace['jdk'] == jdk]
        real = [program for program in programs if program.name != 'hello']
        notes = [line for program in programs if program.name == 'hello' for line in start_up(program)]
        rows = [HEADINGS] + [program.row() for program in real] + [mean_row(real)] if real else []
        print('\nJDK %s, ratios to the plain run (wall, then CPU):\n' % jdk)
        print('\n'.join([as_text(rows)] * bool(real) + notes))
        markdown += ['## JDK %s' % jdk, ''] + [as_markdown(rows), ''] * bool(real) + ['- ' + note for note in notes] + ['']
        if real:
            plot(directory, jdk, real)
            markdown += ['![ratios to the plain run, JDK %s](plot-jdk%s.svg)' % (jdk, jdk), '']
    with open(directory + '/results.md', 'w') as file:
        file.write('\n'.join(markdown))
    print('\ntables, plots and raw figures: %s' % directory)


if __name__ == '__main__':
    main(sys.argv[1])
