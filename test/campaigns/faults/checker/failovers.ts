import type { Attempt, FailoverHistory, History, Rows } from '../history.ts';
import { dividedOf, isIn, lossesOf } from './losses.ts';
import { violation, type Violation } from './violation.ts';

const checkFollowed = ({ course, recoveries, leftAt, stayed }: FailoverHistory, limit: number): Violation[] => [
  ...recoveries
    .filter((recovery) => recovery > limit)
    .map((recovery) => violation('failover not followed', course, `the first write came after ${recovery.toFixed(0)} ms`)),
  ...(recoveries.length === 0 ? [violation('failover not followed', course, 'no node was asked for a write')] : []),
  ...(leftAt === Infinity
    ? [violation('failover not followed', course, `a node stayed with the old primary: ${stayed.join('; ')}`)]
    : []),
];

const isSuccess = ({ answer }: Attempt): boolean => answer !== null && answer.status >= 200 && answer.status < 300;

/** Between the end of one primary and the promotion of the next there are only standbys. */
const checkStandbys = ({ failovers, keys, media, writes, others }: History): Violation[] => {
  const attempts = [...keys, ...media, ...writes, ...others.map(({ attempt }) => ({ attempts: [attempt] }))].flatMap(
    (one) => one.attempts,
  );
  return failovers.flatMap(({ course, goneAt, promotedAt }) =>
    attempts
      .filter((attempt) => isSuccess(attempt) && attempt.sentAt >= goneAt && attempt.endedAt <= promotedAt)
      .map(({ node, answer }) => violation('read from a standby', course, `node ${node} answered ${String(answer?.status)}`)),
  );
};

const checkReads = (history: History): Violation[] => {
  const { sequence, failovers } = history;
  const losses = lossesOf(history);
  const divided = dividedOf(history);
  const sure = sequence.writes.filter(({ answeredAt }) => !isIn(answeredAt, losses));
  const stale = sequence.reads.flatMap(({ node, sentAt, endedAt, n }) => {
    const known = sure.findLast(({ answeredAt }) => answeredAt < sentAt)?.n ?? 0;
    if (n >= known || isIn(sentAt, divided) || isIn(endedAt, divided)) return [];
    return [violation('read stale', `node ${node}`, `it shows ${n}, and ${known} was acknowledged before`)];
  });
  const nodes = [...new Set(sequence.reads.map(({ node }) => node))];
  const stopped = failovers.flatMap(({ course, missing }) =>
    missing === null
      ? []
      : nodes
          .filter(
            (one) =>
              !sequence.reads.some(
                ({ node, sentAt, endedAt }) => node === one && sentAt >= missing.from && endedAt <= missing.until,
              ),
          )
          .map((node) => violation('reads stopped', course, `node ${node} answered no read`)),
  );
  return [...stale, ...stopped];
};

const checkUninstalls = (history: History, { installed, signIns }: Rows): Violation[] => {
  const losses = lossesOf(history);
  return history.uninstalls.flatMap(({ installationId, answeredAt }) => {
    const isInstalled = installed.has(installationId);
    const status = signIns.get(installationId);
    const wrong = isInstalled && !isIn(answeredAt, losses);
    if (!wrong && status === (isInstalled ? 200 : 401)) return [];
    const state = isInstalled ? 'is installed' : 'is not installed';
    return [violation('uninstall undone', installationId, `it ${state}, and gets ${String(status)} when it asks for a token`)];
  });
};

/** Rules that only failovers can break. `limit` is in milliseconds. */
export const checkFailovers = (history: History, rows: Rows, limit: number): Violation[] => [
  ...history.failovers.flatMap((one) => checkFollowed(one, limit)),
  ...checkStandbys(history),
  ...checkReads(history),
  ...checkUninstalls(history, rows),
];
