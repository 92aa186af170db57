import { request } from 'undici';

import type { Child } from './child.ts';
import type { Environment } from './environment.ts';
import type { LoadRound, Plan, Prepared } from './load.ts';
import { cpuMs, largestRssMb } from './process.ts';
import { beginProfile } from './profile.ts';
import type { CaseOptions, Figure } from './report.ts';
import { keepPlan, lengthOf, sendPlan, type Side, type Stage } from './stage.ts';
import { countStatements } from './statements.ts';
import { spreadOf } from './statistics.ts';

/** Rounds that warm up each side and are not counted. */
const WARM_UP = { full: 2, short: 1 };
const COUNTED = { full: 500, short: 32 };

export interface Contest {
  readonly stage: Pick<Stage, 'environment' | 'load'> & Partial<Pick<Stage, 'checkouts'>>;
  /** The first is compared with each of the others. */
  readonly sides: readonly Side[];
  readonly plan: Plan;
  readonly connections: number;
  /** The goal of the ratio to each of the others, in their order. Undefined means no goal. */
  readonly goals: readonly (number | undefined)[];
}

interface Round extends LoadRound {
  /** Microseconds of processor time a request: the side's, and PostgreSQL's. */
  readonly cpu: number;
  readonly databaseCpu: number;
}

const cpuOf = (pids: readonly number[]): number => pids.reduce((total, pid) => total + cpuMs(pid), 0);

interface Rounds {
  readonly load: Child;
  readonly environment: Pick<Environment, 'pid'>;
  readonly connections: number;
  readonly length: ReturnType<typeof lengthOf>;
}

const roundOf = async (side: Side, { load, environment, connections, length }: Rounds): Promise<Round> => {
  const before = { side: cpuOf(side.pids), database: cpuMs(environment.pid) };
  const found = await sendPlan(load, { plan: 'contest', urls: side.urls, connections, ...length });
  if (found.count === 0) throw new Error(`${side.name} answered nothing`);
  const each = (ms: number): number => (ms * 1000) / found.count;
  const round = {
    ...found,
    cpu: each(cpuOf(side.pids) - before.side),
    databaseCpu: each(cpuMs(environment.pid) - before.database),
  };
  process.stderr.write(
    `${side.name}: ${Math.round(round.rate)}/s, p50 ${round.p50.toFixed(2)} ms; CPU ${Math.round(round.cpu)} us, PostgreSQL ${Math.round(round.databaseCpu)} us\n`,
  );
  return round;
};

/** The most memory of one Tenon process under load, in MB. */
export const MOST_RSS = 300;

const figuresOf = (side: Side, rounds: readonly Round[], statements: number, isOwn: boolean): Figure[] => {
  const of = (what: keyof Round): number[] => rounds.map((round) => round[what]);
  const errors = of('errors').reduce((total, count) => total + count, 0);
  return [
    { name: side.name, unit: 'requests/s', ...spreadOf(of('rate')) },
    { name: `${side.name}: p50`, unit: 'ms', ...spreadOf(of('p50')) },
    { name: `${side.name}: p99`, unit: 'ms', ...spreadOf(of('p99')) },
    { name: `${side.name}: CPU of the process`, unit: 'us a request', ...spreadOf(of('cpu')) },
    { name: `${side.name}: CPU of PostgreSQL`, unit: 'us a request', ...spreadOf(of('databaseCpu')) },
    { name: `${side.name}: SQL statements`, unit: 'a request', median: statements },
    {
      name: `${side.name}: RSS of a process`,
      unit: 'MB',
      ...(isOwn && { most: MOST_RSS }),
      median: Math.max(...side.pids.map(largestRssMb)),
    },
    { name: `${side.name}: errors`, unit: 'requests', median: errors, most: 0 },
  ];
};

const ratios = (first: readonly Round[], other: readonly Round[], what: 'rate' | 'cpu'): number[] =>
  first.map((round, pair) => round[what] / (other[pair]?.[what] ?? NaN));

/** Rounds of the sides in turn. Each ratio is that of two rounds that followed each other. */
export const contest = async (
  { stage: { environment, load, checkouts = [] }, sides: all, plan, connections, goals }: Contest,
  { short, pairs }: Pick<CaseOptions, 'short' | 'pairs'>,
): Promise<Figure[]> => {
  const form = short ? 'short' : 'full';
  const sides = checkouts.length > 0 ? checkouts : all;
  await keepPlan(load, 'contest', plan);
  const options = { load, environment, connections, length: lengthOf(short, connections) };
  for (let left = WARM_UP[form]; left > 0; left -= 1) for (const side of sides) await roundOf(side, options);
  beginProfile(sides);
  const rounds = sides.map((): Round[] => []);
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const [at, side] of sides.entries()) rounds[at]?.push(await roundOf(side, options));
  }
  const counts: number[] = [];
  for (const { urls } of sides) {
    const amount = Math.max(COUNTED[form], connections);
    counts.push(
      await countStatements(environment.pool, amount, () => sendPlan(load, { plan: 'contest', urls, connections, amount })),
    );
  }
  const [own = [], ...others] = rounds;
  return [
    ...others.flatMap((other, at): Figure[] => {
      const name = sides[at + 1]?.name ?? '';
      const goal = checkouts.length > 0 ? undefined : goals[at];
      return [
        {
          name: `ratio to the ${name}`,
          unit: 'ratio',
          ...(goal !== undefined && { least: goal }),
          ...spreadOf(ratios(own, other, 'rate')),
        },
        { name: `CPU of the process to that of the ${name}`, unit: 'ratio', ...spreadOf(ratios(own, other, 'cpu')) },
      ];
    }),
    ...sides.flatMap((side, at) => figuresOf(side, rounds[at] ?? [], counts[at] ?? NaN, at === 0)),
  ];
};

/** Parts of the answers that both sides must have in common. */
export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export const answerOf = async (side: Side, { method, path, headers, body }: Prepared): Promise<Answered> => {
  const answer = await request(`${side.urls[0] ?? ''}${path}`, { method, headers, ...(body !== undefined && { body }) });
  return { status: answer.statusCode, contentType: String(answer.headers['content-type']), body: await answer.body.text() };
};

/** Throws if the answers differ: a ceiling must do the same work. */
export const assertSame = (what: string, [first, ...others]: readonly unknown[]): void => {
  for (const other of others) {
    const [expected, found] = [JSON.stringify(first), JSON.stringify(other)];
    if (expected === found) continue;
    let at = 0;
    while (expected[at] === found[at]) at += 1;
    const part = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
    throw new Error(`${what}: a ceiling answers something else from character ${at} on:\n  ${part(expected)}\n  ${part(found)}`);
  }
};

/**
 * Sends the request to every side and compares status, content type and bytes; `mask` takes out
 * what is every answer's own.
 */
export const compare = async (
  sides: readonly Side[],
  prepared: Prepared,
  mask: (body: string) => string = (body) => body,
): Promise<Answered> => {
  const answers: Answered[] = [];
  for (const side of sides) answers.push(await answerOf(side, prepared));
  const [first] = answers;
  if (first?.status !== 200) throw new Error(`${prepared.path}: ${first?.status ?? ''} ${first?.body ?? ''}`);
  assertSame(
    prepared.path,
    answers.map(({ body, ...answer }) => ({ ...answer, body: mask(body) })),
  );
  return first;
};
