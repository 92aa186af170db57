import { counts, machine, number, table } from '../kit/report.ts';
import type { CampaignResult, Round } from './campaign.ts';
import { groupBy } from './checker/events.ts';
import { RULES, type Violation } from './checker/violation.ts';
import { total } from './injected.ts';

/** The goals of a long campaign. */
const GOALS = {
  SIGKILLs: 1_000,
  'points at which processes were killed': 14,
  'PostgreSQL crashes': 50,
  'Redis faults': 20,
  'dropped answers to COMMIT': 500,
  keys: 20_000,
  events: 50_000,
  'deliveries in an order': 100_000,
} as const;

type Figures = Readonly<Record<keyof typeof GOALS, number>>;

export const violationsOf = ({ rounds }: CampaignResult): Violation[] => rounds.flatMap(({ violations }) => violations);

const figuresOf = ({ injected: { kinds, points }, rounds }: CampaignResult): Figures => ({
  SIGKILLs: total(kinds, (name) => name.startsWith('SIGKILL')),
  'points at which processes were killed': points.size,
  'PostgreSQL crashes': total(kinds, (name) => name.startsWith('PostgreSQL stopped')),
  'Redis faults': total(kinds, (name) => name.startsWith('Redis')),
  'dropped answers to COMMIT': total(kinds, (name) => name.startsWith('answer to COMMIT')),
  keys: rounds.reduce((sum, { keys }) => sum + keys, 0),
  events: rounds.reduce((sum, { events }) => sum + events, 0),
  'deliveries in an order': rounds.reduce((sum, { ordered }) => sum + ordered, 0),
});

export const rulesTable = (violations: readonly Violation[], rules: Readonly<Record<string, string>> = RULES): string => {
  const byRule = groupBy(violations, ({ rule }) => rule);
  return table(
    ['Promise', 'Violations'],
    Object.entries(rules).map(([rule, promise]) => [promise, number(byRule.get(rule)?.length ?? 0)]),
  );
};

const figuresTable = (result: CampaignResult): string => {
  const figures = figuresOf(result);
  const rows = Object.entries(figures).map(([name, value]) => [name, number(value), number(GOALS[name as keyof Figures])]);
  const slowest = Math.max(...result.rounds.map(({ slowestRecovery }) => slowestRecovery));
  const requests = result.rounds.reduce((sum, one) => sum + one.requests, 0);
  const deliveries = result.rounds.reduce((sum, one) => sum + one.deliveries, 0);
  const copied = result.rounds.reduce((sum, one) => sum + one.copied, 0);
  const walked = result.rounds.reduce((sum, one) => sum + one.walked, 0);
  const outages = result.rounds.flatMap((one) => one.outages);
  const slowestAnswer = Math.max(0, ...outages.map((one) => one.slowestAnswer)) / 1000;
  const rates = outages.flatMap(({ rate }) => rate ?? []);
  const settled = Math.max(...result.rounds.map(({ settledIn }) => settledIn)) / 1000;
  return table(
    ['Figure', 'Measured', 'Goal'],
    [
      ...rows,
      ['requests with these keys', number(requests), ''],
      ['deliveries received', number(deliveries), ''],
      ['events in bodies that copies are made from', number(copied), ''],
      ['events read from the feed', number(walked), ''],
      ['slowest recovery of a key, ms', number(slowest), ''],
      ['last delivery after the end of a round, s', number(settled), ''],
      ['slowest answer in a fault that lasts, s', slowestAnswer.toFixed(1), ''],
      ...(rates.length > 0
        ? [['least rate of writes while Redis hangs, of that before', Math.min(...rates).toFixed(2), '']]
        : []),
    ],
  );
};

/** Lasting faults differ from the others: no connection ends, and nothing reports an error. */
const LASTING_FAULTS = `Five faults last, and end no connection:

- A relay before PostgreSQL goes silent and keeps acknowledging. New connections work.
- The same, and for 15 seconds new connections are accepted and not answered.
- The host of PostgreSQL vanishes: in a network namespace of its own, every packet to it is dropped. 5 seconds later its synchronous standby is
  promoted, and its name leads there. This takes root, iproute2 and util-linux. Elsewhere the campaign says that it skips this fault.
- PostgreSQL is stopped (SIGSTOP, all its processes) for 30 seconds.
- Redis is stopped for 12 seconds.

While one of them lasts, the campaign sends every kind of request to every node (reads, writes, tokens, the admin API, long polls of the feed,
/readyz), and waits 16 seconds for each answer. \`npm run faults -- --only=vanish --minutes=1\` runs one kind alone.`;

/** The campaign's section of docs/reliability.md. */
export const reportOf = (result: CampaignResult, command: string): string => {
  const { injected, rounds, seconds } = result;
  const queues = [...new Set(rounds.map(({ queue }) => queue))].join(' and ');
  const { SIGKILLs, keys, events } = figuresOf(result);
  return `## Faults

Four processes of Tenon run on a PostgreSQL with default settings: two answer requests and two send deliveries. Clients write, import, subscribe
and uninstall while faults are injected one after the other. The campaign records everything that clients and receivers see. After each round it
waits until all work is done and checks the promises below. \`test/campaigns/faults/\` is the campaign, and its folder \`checker\` checks the
promises. \`npm run test:planted\` plants bugs and shows that the checker finds them.

${LASTING_FAULTS}

In this run, processes were killed ${number(SIGKILLs)} times while clients sent writes with ${number(keys)} keys, which caused ${number(events)} events. The
checker found ${number(violationsOf(result).length)} violations.

\`${command}\`: ${rounds.length} rounds in ${(seconds / 60).toFixed(0)} minutes, queue on ${queues}; ${machine()}; Node ${process.versions.node}.

${rulesTable(violationsOf(result))}

${figuresTable(result)}

The recovery of a key is the time until its answer, counted from its first request or from the end of the last fault before its answer if that came later. A process that ended is back when /readyz says so. A client
repeats a request after a tenth of a second, with the same key and bytes or the same id, if the connection is refused or cut, or if the answer is
409 (in progress), 429 or 503. SIGTERM cuts no request that has begun to execute.

### Injected faults

${table(['Fault', 'Count'], counts(injected.kinds))}

### SIGKILLs by point

${table(['Point', 'Count'], counts(injected.points))}
`;
};

const SHOWN = 5;

/** The first violations of each promise, to find their cause. */
const violationsText = (violations: readonly Violation[]): string =>
  [...groupBy(violations, ({ rule }) => rule)]
    .map(([rule, list]) => {
      const shown = list.slice(0, SHOWN).map(({ about, what }) => `  ${about}: ${what}`);
      return [`${rule}: ${list.length}`, ...shown].join('\n');
    })
    .join('\n');

/** A round in one line, followed by its violations. */
export const roundText = (round: Round, rounds: number): string =>
  [
    `round ${round.number} of ${rounds}, seed ${round.seed}, ${round.environment}: ${round.keys} keys, ${round.events} events, ` +
      `${round.deliveries} deliveries, slowest recovery ${round.slowestRecovery.toFixed(0)} ms, last delivery after ${round.settledIn.toFixed(0)} ms, ` +
      `${round.violations.length} violations`,
    ...round.outages.map(
      ({ kind, slowestAnswer, rate }) =>
        `  ${kind}: slowest answer ${(slowestAnswer / 1000).toFixed(1)} s${rate === null ? '' : `, rate of writes ${rate.toFixed(2)}`}`,
    ),
    ...round.failovers.map(({ course, recoveries, lostPlaces, acceptedAt, leftAt }) => {
      const parts = [`  ${course}: first writes after ${recoveries.map((one) => one.toFixed(0)).join(' and ')} ms`];
      if (leftAt > acceptedAt) parts.push(`old primary left after ${(leftAt - acceptedAt).toFixed(0)} ms`);
      if (lostPlaces > 0) parts.push(`${lostPlaces} events lost`);
      return parts.join(', ');
    }),
    ...(round.violations.length > 0 ? [violationsText(round.violations)] : []),
  ].join('\n');
