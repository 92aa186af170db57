import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Profile, Share } from './profile.ts';
import type { Stage } from './stage.ts';
import type { Program } from './tenon.ts';
import type { Spread } from './statistics.ts';

export interface CaseOptions {
  /** Only proves that the case runs: little data, one pair, meaningless figures. */
  readonly short: boolean;
  /** Rounds of each side, after a round of each to warm up. */
  readonly pairs: number;
  /**
   * Opens a stage for this case, or in the short form the stage that all cases share. The case
   * closes it.
   */
  readonly stage: () => Promise<Stage>;
  /** Checkout for the comparison, in place of the ceilings. The stage knows it too. */
  readonly against?: Program | undefined;
}

/** A number of a case. `least` or `most` is its goal. */
export interface Figure extends Partial<Spread> {
  readonly name: string;
  readonly median: number;
  readonly unit: string;
  readonly least?: number;
  readonly most?: number;
}

/** The figures of one of several kinds of requests. */
export const named = (kind: string, figures: readonly Figure[]): Figure[] =>
  figures.map((figure) => ({ ...figure, name: `${kind}: ${figure.name}` }));

export interface CaseResult {
  /** Description of the measurement, in one or two sentences. */
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
  /** The CPU profiles of a case that misses its goal of speed. */
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

const rangeOf = ({ min, max }: Figure): string =>
  min === undefined || max === undefined ? '' : `${round(min)} to ${round(max)}`;

/** The number with its unit. Ratios have no unit. */
const medianOf = ({ median, unit }: Figure): string => (unit === 'ratio' ? round(median) : `${round(median)} ${unit}`);

const table = (figures: readonly Figure[]): string =>
  [
    '| Figure | Median | Range | Goal | Reached |',
    '| --- | ---: | ---: | --- | --- |',
    ...figures.map(
      (figure) => `| ${[figure.name, medianOf(figure), rangeOf(figure), goalOf(figure), verdictOf(figure)].join(' | ')} |`,
    ),
  ].join('\n');

const isMissed = (figure: Figure): boolean => verdictOf(figure) === 'NO';

/** True when the case misses a goal of speed, so that it is profiled. */
export const missesSpeed = ({ figures }: CaseResult): boolean =>
  figures.some((figure) => figure.least !== undefined && isMissed(figure));

const listOf = (shares: readonly Share[]): string =>
  shares.map(({ name, share }) => `${name} ${(share * 100).toFixed(1)} %`).join('; ');

/** Names the limit of a case that misses its goal: the busy time of each process. */
const limitsOf = (profiles: readonly Profile[] = []): string =>
  profiles
    .map(
      ({ name, packages, functions }) =>
        `CPU profile of ${name}. By package: ${listOf(packages)}.\nBy function: ${listOf(functions)}.\n\n`,
    )
    .join('');

const sectionOf = (result: Measured): string =>
  `## ${result.name}\n\n${result.about}\n\n${table(result.figures)}\n\n${limitsOf(result.profiles)}` +
  `\`npm run bench -- ${result.name}\`, ${result.pairs} pairs, ${result.date}; ${result.machine}; ${result.versions}.\n`;

const HEAD = `# Benchmarks

This page is for operators who size a server and for contributors who change its speed. It shows how fast Tenon is, compared with the fastest servers that we know how
to write, and how to repeat each measurement. \`npm run bench\` writes it, with one section for the last run of each case; do not edit it.

Most cases compare Tenon with a hand-written ceiling: the fastest server for the same work that we know how to write. Both use the same database on the same machine, one
after the other. A ratio of 1 means that Tenon is as fast as its ceiling. You can compare ratios between machines, but not absolute figures. A load average far above the
number of processors means that other programs ran at the same time.
`;

/** Prints a line for each case with its first figure, which is its main one. */
const summary = (all: readonly Measured[]): string => {
  const lines = all.flatMap(({ name, figures: [first] }) =>
    first ? [`| [${name}](#${name}) | ${first.name} | ${medianOf(first)} | ${goalOf(first)} | ${verdictOf(first)} |`] : [],
  );
  const withGoal = all.filter(({ figures: [first] }) => first && goalOf(first) !== '');
  const missed = withGoal.filter(({ figures: [first] }) => first && isMissed(first)).map(({ name }) => name);
  return [
    '## All cases',
    '',
    `${withGoal.length} cases have a goal for their main figure, and ${withGoal.length - missed.length} reach it.${missed.length > 0 ? ` Not reached: ${missed.join(', ')}.` : ''}`,
    '',
    '| Case | Figure | Median | Goal | Reached |',
    '| --- | --- | ---: | --- | --- |',
    ...lines,
    '',
  ].join('\n');
};

/** The text of docs/benchmarks.md for these results. */
const benchmarksText = (all: readonly Measured[]): string => [HEAD, summary(all), ...all.map(sectionOf)].join('\n');

/** The last result of each case, by name. */
const keptResults = (): Measured[] =>
  readdirSync(results)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, results), 'utf8')) as Measured);

export const print = (result: Measured): void => {
  process.stdout.write(`\n${sectionOf(result)}`);
};

/** Keeps the result as JSON in `bench/results` and writes `docs/benchmarks.md` from all results. */
export const keep = (result: Measured): void => {
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL(`${result.name}.json`, results), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(fileURLToPath(new URL('docs/benchmarks.md', root)), benchmarksText(keptResults()));
};
