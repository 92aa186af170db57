import { machine } from '../../../bench/support/report.ts';
import type { CampaignResult, Round } from './campaign.ts';
import { groupBy } from './checker/events.ts';
import { RULES } from './checker/violation.ts';
import type { Violation } from './checker/violation.ts';
import { total } from './landings.ts';

/** What a long campaign is to reach. */
const GOALS = {
  'SIGKILLs that landed': 1_000,
  'named points at which they landed': 14,
  'PostgreSQL crashes': 50,
  'Redis faults': 20,
  'answers to COMMIT dropped': 500,
  keys: 20_000,
  events: 50_000,
} as const;

type Figures = Readonly<Record<keyof typeof GOALS, number>>;

export const violationsOf = ({ rounds }: CampaignResult): Violation[] => rounds.flatMap(({ violations }) => violations);

export const figuresOf = ({ landings: { kinds, points }, rounds }: CampaignResult): Figures => ({
  'SIGKILLs that landed': total(kinds, (name) => name.startsWith('SIGKILL')),
  'named points at which they landed': points.size,
  'PostgreSQL crashes': total(kinds, (name) => name.startsWith('PostgreSQL stopped')),
  'Redis faults': total(kinds, (name) => name.startsWith('Redis')),
  'answers to COMMIT dropped': total(kinds, (name) => name.startsWith('answer to COMMIT')),
  keys: rounds.reduce((sum, { keys }) => sum + keys, 0),
  events: rounds.reduce((sum, { events }) => sum + events, 0),
});

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const counts = (map: ReadonlyMap<string, number>): string[][] =>
  [...map].sort(([one], [other]) => one.localeCompare(other)).map(([name, count]) => [name, number(count)]);

const rulesTable = (violations: readonly Violation[]): string => {
  const byRule = groupBy(violations, ({ rule }) => rule);
  return table(
    ['promise', 'violations'],
    Object.entries(RULES).map(([rule, promise]) => [promise, number(byRule.get(rule)?.length ?? 0)]),
  );
};

const figuresTable = (result: CampaignResult): string => {
  const figures = figuresOf(result);
  const rows = Object.entries(figures).map(([name, value]) => [name, number(value), number(GOALS[name as keyof Figures])]);
  const slowest = Math.max(...result.rounds.map(({ slowestRecovery }) => slowestRecovery));
  const requests = result.rounds.reduce((sum, one) => sum + one.requests, 0);
  const deliveries = result.rounds.reduce((sum, one) => sum + one.deliveries, 0);
  const settled = Math.max(...result.rounds.map(({ settledIn }) => settledIn)) / 1000;
  return table(
    ['figure', 'seen', 'goal'],
    [
      ...rows,
      ['requests under these keys', number(requests), ''],
      ['deliveries received', number(deliveries), ''],
      ['slowest recovery of a key, ms', number(slowest), ''],
      ['last delivery after the end of a round, s', number(settled), ''],
    ],
  );
};

/** The campaign's section of docs/reliability.md. */
export const reportOf = (result: CampaignResult, command: string): string => {
  const { landings, rounds, seconds } = result;
  const queues = [...new Set(rounds.map(({ queue }) => queue))].join(' and ');
  return `## Faults

Four processes of Tenon, two that answer requests and two that deliver, on a PostgreSQL in its shipped
settings, while clients write, import, subscribe and leave, and one fault after the other is injected. All that clients and receivers saw is
recorded, and judged against these promises once all is quiet. \`faults/\` is the campaign, \`faults/checker\` the judgement, and
\`test/campaigns/faults.test.ts\` shows that it notices bugs.

\`${command}\`: ${rounds.length} rounds in ${(seconds / 60).toFixed(0)} minutes, queue on ${queues}; ${machine()}; Node ${process.versions.node}.

${rulesTable(violationsOf(result))}

${figuresTable(result)}

A key's recovery counts from the moment all was there again, or from its first request where nothing was broken, to its answer. A client sends
a request again, with the same key and bytes or the same id, when it is refused, cut or answered 409 (in progress), 429 or 503, after a tenth of
a second. SIGTERM cuts nothing that was executed: whatever is cut then was not begun.

### Faults that landed

${table(['fault', 'landed'], counts(landings.kinds))}

### SIGKILLs by point

${table(['point', 'landed'], counts(landings.points))}
`;
};

const SHOWN = 5;

/** The violations, some of each promise, for whoever looks for their cause. */
const violationsText = (violations: readonly Violation[]): string =>
  [...groupBy(violations, ({ rule }) => rule)]
    .map(([rule, list]) => {
      const shown = list.slice(0, SHOWN).map(({ about, what }) => `  ${about}: ${what}`);
      return [`${rule}: ${list.length}`, ...shown].join('\n');
    })
    .join('\n');

/** A round in a line, and what it broke below. */
export const roundText = (round: Round, rounds: number): string =>
  [
    `round ${round.number} of ${rounds}, seed ${round.seed}, queue on ${round.queue}: ${round.keys} keys, ${round.events} events, ` +
      `${round.deliveries} deliveries, slowest recovery ${round.slowestRecovery.toFixed(0)} ms, last delivery after ${round.settledIn.toFixed(0)} ms, ` +
      `${round.violations.length} violations`,
    ...(round.violations.length > 0 ? [violationsText(round.violations)] : []),
  ].join('\n');
