import { plural } from '../../../domain/values/plural.ts';
import { failed, fine, warning, type UnnamedFinding } from '../../storage/finding.ts';
import { citusFacts, type CitusFacts, type CitusNode, type NodeAnswer } from '../connection/citus/facts.ts';
import type { Database } from '../connection/database.ts';

const SLOWEST_RECOVERY_MS = 1_000;
const CLOCK_WARNS_SECONDS = 1;

type Answered = CitusNode & { readonly answer: NodeAnswer };

const hasAnswered = (node: CitusNode): node is Answered => node.answer !== null && typeof node.answer === 'object';

const listOf = (nodes: readonly CitusNode[]): string => nodes.map(({ node }) => node).join(', ');

const silentOf = ({ node, hasShards, answer }: CitusNode): readonly UnnamedFinding[] =>
  typeof answer === 'string'
    ? [
        failed(
          `${node} does not answer (${answer})${hasShards ? ': requests of its stores get 503' : ''}`,
          'Start it, or promote its standby and run citus_update_node on the coordinator.',
        ),
      ]
    : [];

const inactiveOf = ({ node, isActive }: CitusNode): readonly UnnamedFinding[] =>
  isActive
    ? []
    : [warning(`${node} is not active: it gets no shards`, 'Start it, and run citus_activate_node on the coordinator.')];

const settingsOf = (nodes: readonly Answered[]): readonly UnnamedFinding[] => {
  const unprepared = nodes.filter(({ answer }) => answer.preparedTransactions === 0);
  const physical = nodes.filter(({ answer, hasShards }) => hasShards && answer.walLevel !== 'logical');
  return [
    ...(unprepared.length === 0
      ? []
      : [
          failed(
            `max_prepared_transactions is 0 on ${listOf(unprepared)}: commits on several nodes fail`,
            'Set it there to max_connections or more, and restart PostgreSQL.',
          ),
        ]),
    ...(physical.length === 0
      ? []
      : [
          warning(
            `wal_level is not logical on ${listOf(physical)}: shards there cannot be moved while they are written to`,
            'Set wal_level to logical there, and restart PostgreSQL.',
          ),
        ]),
  ];
};

const recoveryOf = ({ recoveryMs }: CitusFacts): readonly UnnamedFinding[] => {
  if (recoveryMs >= 0 && recoveryMs <= SLOWEST_RECOVERY_MS) return [];
  const remedy = "Set it to '1s' on the coordinator, and reload its settings.";
  const lost = 'a worker that is lost during a commit keeps rows locked';
  return recoveryMs < 0
    ? [warning(`citus.recover_2pc_interval is off: ${lost}`, remedy)]
    : [warning(`citus.recover_2pc_interval is ${String(recoveryMs / 1000)} s: ${lost} for as long`, remedy)];
};

const clocksOf = (nodes: readonly Answered[]): readonly UnnamedFinding[] => {
  const wrong = nodes.filter(({ answer }) => answer.secondsApart > CLOCK_WARNS_SECONDS);
  if (wrong.length === 0) return [];
  const apart = wrong.map(({ node, answer }) => `${answer.secondsApart.toFixed(1)} s on ${node}`).join(', ');
  const remedy = 'Synchronize the clocks of all nodes with NTP. Tokens and keys expire by the clock of their node.';
  return [warning(`the clock differs from that of the coordinator: ${apart}`, remedy)];
};

const versionsOf = ({ version, postgresql }: CitusFacts, nodes: readonly Answered[]): readonly UnnamedFinding[] => {
  const citus = Number.parseInt(version, 10);
  const other = nodes.filter(({ answer }) => answer.postgresql !== postgresql || answer.citus !== citus);
  if (other.length === 0) return [];
  const have = other
    .map(({ node, answer }) => `${node} has PostgreSQL ${String(answer.postgresql)} and Citus ${String(answer.citus)}`)
    .join(', ');
  const remedy = 'Bring all nodes to the same major versions.';
  return [warning(`the coordinator has PostgreSQL ${String(postgresql)} and Citus ${String(citus)}, ${have}`, remedy)];
};

/** Reports the version and the nodes, and then each fault with its remedy. */
export const judgeCitus = (facts: CitusFacts): readonly UnnamedFinding[] => {
  const { version, workers, tables, shards, nodes, undistributed } = facts;
  const answered = nodes.filter(hasAnswered);
  return [
    fine(`Citus ${version}: ${plural(workers, 'worker')}, ${plural(tables, 'distributed table')}, ${plural(shards, 'shard')}`),
    ...(undistributed.length === 0
      ? []
      : [
          failed(
            `${plural(undistributed.length, 'table has', 'tables have')} no place yet`,
            'Run tenon migrate, or start the server, which does the same.',
          ),
        ]),
    ...(workers > 0 ? [] : [warning('there is no worker', "Add one on the coordinator: SELECT citus_add_node('HOST', 5432).")]),
    ...nodes.flatMap(inactiveOf),
    ...nodes.flatMap(silentOf),
    ...settingsOf(answered),
    ...recoveryOf(facts),
    ...clocksOf(answered),
    ...versionsOf(facts, answered),
  ];
};

/** Nothing where the database is not the coordinator of a Citus cluster. */
export const checkCitus = async (database: Pick<Database, 'pool'>): Promise<readonly UnnamedFinding[]> => {
  const facts = await citusFacts(database);
  return facts === null ? [] : judgeCitus(facts);
};
