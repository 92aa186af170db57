import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Profile, Share } from './profile.ts';
import type { Stage } from './stage.ts';
import type { Spread } from './statistics.ts';

export interface CaseOptions {
  /** Proves that the case runs: little data, two pairs, no figure worth reading. */
  readonly short: boolean;
  /** Rounds of each side, after one of each to warm up. */
  readonly pairs: number;
  /** A stage of the case's own, or in the short form one that all share. To be closed in either. */
  readonly stage: () => Promise<Stage>;
}

/** One number of a case; `least` or `most` is its goal. */
export interface Figure extends Partial<Spread> {
  readonly name: string;
  readonly median: number;
  readonly unit: string;
  readonly least?: number;
  readonly most?: number;
}

export interface CaseResult {
  /** What was done, in a sentence or two. */
  readonly about: string;
  readonly figures: readonly Figure[];
}

/** A result with where and when it was measured. */
export interface Measured extends CaseResult {
  readonly name: string;
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
  readonly pairs: number;
  /** Where the time goes, in a case that misses the speed it is to reach. */
  readonly profiles?: readonly Profile[];
}

const root = new URL('../../', import.meta.url);
const results = new URL('bench/results/', root);

export const machine = (): string =>
  `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, load average ${loadavg()[0]?.toFixed(1) ?? ''} at the end`;

const round = (value: number | undefined): string =>
  value === undefined ? '' : value.toLocaleString('en', { maximumFractionDigits: value >= 100 ? 0 : value >= 10 ? 1 : 2 });

const goalOf = ({ least, most }: Figure): string => {
  if (least !== undefined) return `>= ${round(least)}`;
  return most === undefined ? '' : `<= ${round(most)}`;
};

const verdictOf = ({ median, least, most }: Figure): string => {
  if (least === undefined && most === undefined) return '';
  return median >= (least ?? -Infinity) && median <= (most ?? Infinity) ? 'yes' : 'NO';
};

const table = (figures: readonly Figure[]): string =>
  [
    '| figure | median | min | max | unit | goal | reached |',
    '| --- | ---: | ---: | ---: | --- | --- | --- |',
    ...figures.map((figure) => {
      const numbers = [figure.median, figure.min, figure.max].map(round);
      return `| ${[figure.name, ...numbers, figure.unit, goalOf(figure), verdictOf(figure)].join(' | ')} |`;
    }),
  ].join('\n');

const isMissed = (figure: Figure): boolean => verdictOf(figure) === 'NO';

/** Whether a speed that is to be reached is not: the case that a profile explains. */
export const missesSpeed = ({ figures }: CaseResult): boolean =>
  figures.some((figure) => figure.least !== undefined && isMissed(figure));

const listOf = (shares: readonly Share[]): string =>
  shares.map(({ name, share }) => `${name} ${(share * 100).toFixed(1)} %`).join('; ');

/** What limits a case that misses its goal: the time of each process, without that in which it waited. */
const limitsOf = (profiles: readonly Profile[] = []): string =>
  profiles
    .map(
      ({ name, packages, functions }) =>
        `Where the time of the process goes, ${name}. By package: ${listOf(packages)}.\nBy function: ${listOf(functions)}.\n\n`,
    )
    .join('');

const sectionOf = (result: Measured): string =>
  `## ${result.name}\n\n${result.about}\n\n${table(result.figures)}\n\n${limitsOf(result.profiles)}` +
  `\`npm run bench -- ${result.name}\`, ${result.pairs} pairs, ${result.date}; ${result.machine}; ${result.versions}.\n`;

const HEAD = `# Benchmarks

Written by \`npm run bench\`, one section for each case's last run; do not edit. A ratio is that of two rounds which ran one after the other on
the same database and machine; absolute figures differ from machine to machine, and from hour to hour on a shared one: a load average far above
the number of processors says that others were at work, which lengthens most what takes many turns between processes.

`;

export const print = (result: Measured): void => {
  process.stdout.write(`\n${sectionOf(result)}`);
};

/** Keeps the result as JSON in `bench/results`, and makes `docs/benchmarks.md` of all that are there. */
export const keep = (result: Measured): void => {
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL(`${result.name}.json`, results), `${JSON.stringify(result, null, 2)}\n`);
  const all = readdirSync(results)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, results), 'utf8')) as Measured);
  writeFileSync(fileURLToPath(new URL('docs/benchmarks.md', root)), HEAD + all.map(sectionOf).join('\n'));
};
