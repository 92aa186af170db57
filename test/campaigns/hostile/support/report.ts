import { machine } from '../../../../bench/support/report.ts';
import type { Figures } from './campaign.ts';
import type { Range, Violation } from './range.ts';

export interface Outcome {
  readonly name: string;
  readonly about: string;
  readonly figures: Figures;
  readonly requests: number;
  readonly violations: number;
  readonly seconds: number;
}

const MOST_TOLD = 20;
const group = new Intl.NumberFormat('en');

/** The first violations, and how many there are of each kind. */
export const violationsText = (violations: readonly Violation[]): string => {
  const kinds = [...new Set(violations.map(({ kind }) => kind))];
  const counts = kinds.map((one) => `${one}: ${violations.filter(({ kind }) => kind === one).length}`).join(', ');
  const told = violations.slice(0, MOST_TOLD).map(({ kind, about }) => `✗ ${kind}: ${about}\n`);
  return `${told.join('')}${counts}\n`;
};

const figuresText = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? group.format(value) : value}`)
    .join('; ');

const totals = (range: Range): string => {
  const of = (from: number, to: number): number =>
    [...range.statuses].reduce((sum, [status, count]) => (status >= from && status < to ? sum + count : sum), 0);
  const count = (...kinds: string[]): number => range.violations.filter(({ kind }) => kinds.includes(kind)).length;
  const figures: readonly (readonly [name: string, value: number])[] = [
    ['requests', range.requests()],
    ['2xx, 3xx', of(200, 400)],
    ['4xx', of(400, 500)],
    ['5xx', of(500, 600)],
    ['no answer, hangs', count('hang', 'no answer')],
    ['leaks', count('leak')],
    ['wrong answers', count('wrong answer')],
    ['errors logged', count('error in the log')],
    ['secrets sought', range.vault.size()],
    ['lines of log searched', range.logLines()],
    ['slowest, s', Math.round(range.slowestMs() / 100) / 10],
    ['memory at most, MB', range.peakRss()],
  ];
  return ['| figure | seen |', '| --- | ---: |', ...figures.map(([name, value]) => `| ${name} | ${group.format(value)} |`)].join(
    '\n',
  );
};

/** The campaign's section of docs/reliability.md. */
export const sectionOf = (title: string, range: Range, outcomes: readonly Outcome[], command: string): string => {
  const cases = outcomes.map(({ name, about, requests, violations, figures, seconds }) => {
    return `| ${[name, about, group.format(requests), violations, figuresText(figures), seconds].join(' | ')} |`;
  });
  return [
    `## ${title}`,
    'Requests that no good client sends, in volume, against a server of its own as in production. Every answer must come within its deadline, be below 500 and hold no secret that was made during the run, plain, encoded or hashed; nor may any line of the log.',
    totals(range),
    ['| case | what is done | requests | violations | figures | s |', '| --- | --- | ---: | ---: | --- | ---: |', ...cases].join(
      '\n',
    ),
    `\`${command}\`, ${new Date().toISOString()}; ${machine()}; Node ${process.versions.node}.`,
  ].join('\n\n');
};
