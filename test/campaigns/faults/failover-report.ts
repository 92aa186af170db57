import { quantile } from '../../../bench/support/statistics.ts';
import { counts, machine, number, table } from '../kit/report.ts';
import type { CampaignResult } from './campaign.ts';
import { FAILOVER_RULES, RULES } from './checker/violation.ts';
import { rulesTable, violationsOf } from './report.ts';

const OUTAGE_RULES = ['no answer', 'return not noticed', 'readiness wrong', 'slow without Redis', 'answer lost by SIGTERM'];
/** Without the rules of faults that this campaign does not have. */
const CHECKED = Object.fromEntries(
  Object.entries({ ...RULES, ...FAILOVER_RULES }).filter(([rule]) => !OUTAGE_RULES.includes(rule)),
);

const WAYS = {
  synchronous: `Every commit waits for the standby (\`synchronous_commit = on\`), so nothing that was acknowledged may be lost.`,
  asynchronous: `No commit waits for the standby, so the last writes may be lost. The campaign notes from which moment on, and checks that nothing from
before is lost, that every reader of the feed that had passed lost events gets 410 with \`history_changed\`, and that no reader misses
an event. Some readers are away during the failover and return when other events have the lost positions. Images are not imported.`,
};

/** The campaign's section of docs/reliability.md. */
export const failoverReportOf = (result: CampaignResult, isAsynchronous: boolean, command: string): string => {
  const { rounds, injected, seconds } = result;
  const sum = (of: (round: CampaignResult['rounds'][number]) => number): number =>
    rounds.reduce((all, round) => all + of(round), 0);
  const failovers = rounds.flatMap((round) => round.failovers);
  const recoveriesOf = (lives: boolean): number[] =>
    failovers.filter(({ goneAt }) => (goneAt === Infinity) === lives).flatMap((one) => one.recoveries);
  const recoveries = recoveriesOf(false);
  const late = recoveriesOf(true);
  const lost = failovers.reduce((all, { lostPlaces }) => all + lostPlaces, 0);
  const violations = violationsOf(result);
  const rows: (readonly [string, number, number | ''])[] = [
    ['failovers', failovers.length, 100],
    ['keys', sum(({ keys }) => keys), isAsynchronous ? '' : 10_000],
    ['first write of a node after the promotion, p50, ms', quantile(recoveries, 0.5), ''],
    ['first write of a node after the promotion, p99, ms', quantile(recoveries, 0.99), 3_000],
    ['first write of a node after the promotion, slowest, ms', Math.max(...recoveries), ''],
    ['the same while the old primary runs on, p50, ms', quantile(late, 0.5), ''],
    ['the same while the old primary runs on, slowest, ms', Math.max(...late), ''],
    ['requests with these keys', sum(({ requests }) => requests), ''],
    ['events', sum(({ events }) => events), ''],
    ['deliveries received', sum(({ deliveries }) => deliveries), ''],
    ['events read from the feed', sum(({ walked }) => walked), ''],
    ['reads of a product that counts up', sum(({ reads }) => reads), ''],
  ];
  const losses: typeof rows = [
    ['failovers that lost events', failovers.filter(({ lostPlaces }) => lostPlaces > 0).length, ''],
    ['events that were lost', lost, ''],
    ['acknowledged keys that were lost', sum(({ lostKeys }) => lostKeys), ''],
    ['times that a reader got 410', sum(({ informed }) => informed), ''],
  ];
  return `## Failovers with ${isAsynchronous ? 'asynchronous' : 'synchronous'} replication

The processes and the clients of [the faults](#faults) work on a primary and its standby. Again and again the standby is promoted, and a new
standby is made of the other server. ${isAsynchronous ? WAYS.asynchronous : WAYS.synchronous}
Half of the rounds reach the database by one name that moves, the others by a \`DATABASE_URL\` with both hosts. The queue is in Redis in half of them, and
the nodes that answer requests have one process or two (\`WORKERS\`). A primary that runs on and that nobody isolated may answer reads until the
nodes have left it: these reads, and deliveries after an uninstallation in that time, are not judged. An app that read its feed there may get
410 with \`history_changed\` ([deployment](deployment.md#fence-the-old-primary)).

In this run, ${number(failovers.length)} failovers happened while clients sent writes with ${number(sum(({ keys }) => keys))} keys. The checker found ${number(violations.length)} violations.

\`${command}\`: ${rounds.length} rounds in ${(seconds / 60).toFixed(0)} minutes; ${machine()}; Node ${process.versions.node}.

${rulesTable(violations, CHECKED)}

${table(
  ['Figure', 'Measured', 'Goal'],
  [...rows, ...(isAsynchronous ? losses : [])].map(([name, value, goal]) => [
    name,
    number(value),
    goal === '' ? '' : number(goal),
  ]),
)}

The time to the first write counts from the moment at which the promoted server takes writes, to the answer of a write that was sent to the node after it and
that the promoted server has. Unless the old primary runs on, no server takes writes for 0.7 seconds before the promotion: an answer with success in that time came from a standby.

### Courses

${table(
  ['Course', 'Count'],
  counts(injected.kinds).filter(([name]) => !name?.startsWith('client gone')),
)}
`;
};
