#!/usr/bin/env python3
"""native_report.py DIR: prints the table of DIR/runs.tsv and DIR/traces.tsv, in Markdown.

Ratios are of medians over the rounds. The wall time of a server is that of its client, in a plain run and in a recording;
a replay has no client, and its wall time is that of the whole run, as a ratio to the whole plain run.
"""
import csv
import math
import statistics
import sys

HEAD = ['program', 'order', 'plain s', 'record', 'replay', 'CPU s', 'record', 'replay', 'RSS MB', 'record', 'replay', 'trace MB',
        'events', 'operations', 'rounds']


def read(name):
    with open('%s/%s' % (sys.argv[1], name), newline='') as file:
        return list(csv.DictReader(file, delimiter='\t'))


class Program:
    def __init__(self, name, runs, trace):
        self.name, self.runs, self.trace = name, runs, trace
        self.order = runs[0]['order'] or 'default'
        self.is_server = any(run['client_ms'] for run in runs)

    def median(self, mode, what):
        values = [float(run[what]) for run in self.runs if run['mode'] == mode and run[what]]
        return statistics.median(values) if values else math.nan

    def ratio(self, mode, what):
        return self.median(mode, what) / self.median('plain', what)

    def wall(self, mode):
        return self.ratio(mode, 'client_ms' if self.is_server and mode == 'record' else 'wall_ms')

    def row(self):
        counts = [sum(run['mode'] == mode for run in self.runs) for mode in ('plain', 'record', 'replay')]
        ratios = ['%.2f' % value for value in (
            self.wall('record'), self.wall('replay'), self.ratio('record', 'cpu_ms'), self.ratio('replay', 'cpu_ms'),
            self.ratio('record', 'peak_kb'), self.ratio('replay', 'peak_kb'))]
        trace = [self.trace['disk_bytes'], self.trace['events'], self.trace['operations']] if self.trace else [0, 0, 0]
        plain = self.median('plain', 'client_ms' if self.is_server else 'wall_ms')
        return [self.name, self.order, '%.2f' % (plain / 1e3), *ratios[:2], '%.2f' % (self.median('plain', 'cpu_ms') / 1e3),
                *ratios[2:4], '%.0f' % (self.median('plain', 'peak_kb') / 1024), *ratios[4:], '%.1f' % (int(trace[0]) / 1e6),
                trace[1], trace[2], '/'.join(map(str, counts))]


def mean(label, programs):
    """Geometric, of the ratios."""
    def of(values):
        values = [value for value in values if not math.isnan(value)]
        return '%.3f' % math.exp(sum(map(math.log, values)) / len(values)) if values else '-'
    return [label, '', '', of([p.wall('record') for p in programs]), of([p.wall('replay') for p in programs]), '',
            *(of([p.ratio(mode, 'cpu_ms') for p in programs]) for mode in ('record', 'replay')), '',
            *(of([p.ratio(mode, 'peak_kb') for p in programs]) for mode in ('record', 'replay')), '', '', '', '']


def main():
    traces = {trace['program']: trace for trace in read('traces.tsv')}
    by_name = {}
    for run in read('runs.tsv'):
        by_name.setdefault(run['program'], []).append(run)
    programs = [Program(name, runs, traces.get(name)) for name, runs in by_name.items()]
    real = [program for program in programs if program.name != 'locks']
    rows = [program.row() for program in programs]
    rows.append(mean('mean, default order', [p for p in real if p.order == 'default']))
    rows.append(mean('mean, racy', [p for p in real if p.order == 'racy']))
    rows.append(mean('mean, serial', [p for p in real if p.order == 'serial']))
    rows.append(mean('mean of all but locks', real))
    print('| ' + ' | '.join(HEAD) + ' |')
    print('|' + '---|' * len(HEAD))
    for row in rows:
        print('| ' + ' | '.join(row) + ' |')


main()
