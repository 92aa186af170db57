import { machine, number, table } from '../../kit/report.ts';
import type { Figures } from './campaign.ts';
import type { Attacker, Violation } from './attacker.ts';

export interface Outcome {
  readonly name: string;
  readonly about: string;
  readonly figures: Figures;
  readonly requests: number;
  readonly violations: number;
  readonly seconds: number;
}

const MOST_SHOWN = 20;

/** The first violations, and the count of each kind. */
export const violationsText = (violations: readonly Violation[]): string => {
  const kinds = [...new Set(violations.map(({ kind }) => kind))];
  const counts = kinds.map((one) => `${one}: ${violations.filter(({ kind }) => kind === one).length}`).join(', ');
  const shown = violations.slice(0, MOST_SHOWN).map(({ kind, about }) => `✗ ${kind}: ${about}\n`);
  return `${shown.join('')}${counts}\n`;
};

const figuresText = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name}: ${typeof value === 'number' ? number(value) : value}`)
    .join('; ');

/** Summarises the run in sentences. */
const summaryOf = (attacker: Attacker): string => {
  const of = (from: number, to: number): string =>
    number([...attacker.statuses].reduce((sum, [status, count]) => (status >= from && status < to ? sum + count : sum), 0));
  const count = (...kinds: string[]): string => number(attacker.violations.filter(({ kind }) => kinds.includes(kind)).length);
  const peak = attacker.peakRss();
  return [
    `In this run, ${number(attacker.requests())} requests got ${of(200, 400)} answers of 2xx or 3xx, ${of(400, 500)} of 4xx and ${of(500, 600)} of 5xx.`,
    `${count('hang', 'no answer')} requests got no answer in time, and ${count('wrong answer')} got a wrong one. The slowest answer took ${(attacker.slowestMs() / 1000).toFixed(1)} s.`,
    `The answers and ${number(attacker.logLines())} log lines were searched for ${number(attacker.secrets.size())} secrets: ${count('leak')} were found. The log has ${count('error in the log')} errors.`,
    ...(peak > 0 ? [`The server used at most ${number(peak)} MB of memory.`] : []),
  ].join('\n');
};

/** The campaign's section of docs/reliability.md. */
export const sectionOf = (title: string, attacker: Attacker, outcomes: readonly Outcome[], command: string): string =>
  [
    `## ${title}`,
    'The campaign sends requests that no good client sends, in volume, to a server with production settings. Every answer must arrive within its deadline and have a status below 500. No answer and no log line may contain a secret of the run in plain, encoded or hashed form.',
    summaryOf(attacker),
    table(
      ['Case', 'Requests', 'Violations', 'Seconds'],
      outcomes.map(({ name, requests, violations, seconds }) => [name, number(requests), String(violations), String(seconds)]),
    ),
    outcomes.map(({ name, about, figures }) => `- **${name}**: ${about} Figures: ${figuresText(figures)}.`).join('\n'),
    `\`${command}\`, ${new Date().toISOString()}; ${machine()}; Node ${process.versions.node}.`,
  ].join('\n\n');
