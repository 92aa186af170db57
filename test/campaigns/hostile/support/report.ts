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

const MOST_SHOWN = 20;
const group = new Intl.NumberFormat('en');

/** The first violations, and the count of each kind. */
export const violationsText = (violations: readonly Violation[]): string => {
  const kinds = [...new Set(violations.map(({ kind }) => kind))];
  const counts = kinds.map((one) => `${one}: ${violations.filter(({ kind }) => kind === one).length}`).join(', ');
  const shown = violations.slice(0, MOST_SHOWN).map(({ kind, about }) => `✗ ${kind}: ${about}\n`);
  return `${shown.join('')}${counts}\n`;
};

const figuresText = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name}: ${typeof value === 'number' ? group.format(value) : value}`)
    .join('; ');

/** Summarises the run in sentences. */
const summaryOf = (range: Range): string => {
  const of = (from: number, to: number): string =>
    group.format([...range.statuses].reduce((sum, [status, count]) => (status >= from && status < to ? sum + count : sum), 0));
  const count = (...kinds: string[]): string => group.format(range.violations.filter(({ kind }) => kinds.includes(kind)).length);
  const peak = range.peakRss();
  return [
    `In this run, ${group.format(range.requests())} requests got ${of(200, 400)} answers of 2xx or 3xx, ${of(400, 500)} of 4xx and ${of(500, 600)} of 5xx.`,
    `${count('hang', 'no answer')} requests got no answer in time, and ${count('wrong answer')} got a wrong one. The slowest answer took ${(range.slowestMs() / 1000).toFixed(1)} s.`,
    `The answers and ${group.format(range.logLines())} log lines were searched for ${group.format(range.vault.size())} secrets: ${count('leak')} were found. The log has ${count('error in the log')} errors.`,
    ...(peak > 0 ? [`The server used at most ${group.format(peak)} MB of memory.`] : []),
  ].join('\n');
};

/** The campaign's section of docs/reliability.md. */
export const sectionOf = (title: string, range: Range, outcomes: readonly Outcome[], command: string): string =>
  [
    `## ${title}`,
    'The campaign sends requests that no good client sends, in volume, to a server with production settings. Every answer must arrive within its deadline and have a status below 500. No answer and no log line may contain a secret of the run in plain, encoded or hashed form.',
    summaryOf(range),
    [
      '| Case | Requests | Violations | Seconds |',
      '| --- | ---: | ---: | ---: |',
      ...outcomes.map(({ name, requests, violations, seconds }) => {
        return `| ${[name, group.format(requests), violations, seconds].join(' | ')} |`;
      }),
    ].join('\n'),
    outcomes.map(({ name, about, figures }) => `- **${name}**: ${about} Figures: ${figuresText(figures)}.`).join('\n'),
    `\`${command}\`, ${new Date().toISOString()}; ${machine()}; Node ${process.versions.node}.`,
  ].join('\n\n');
