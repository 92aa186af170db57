import type { Database } from '../connection/database.ts';
import {
  missingSynchronous,
  readReplication,
  synchronous,
  writableServers,
  type Replication,
  type StandbyState,
  type WritableServer,
} from '../connection/replication.ts';
import { waitsForStandby } from '../connection/synchronous-commit.ts';
import { whereAre, whereIs } from '../../startup/database-url.ts';
import { fine, warning, type UnnamedFinding } from '../../storage/finding.ts';
import type { ExamineOptions } from '../../storage/storage.ts';

const behindOf = (bytes: number | null): string =>
  bytes === null ? 'how far behind is not visible without pg_monitor' : `${(bytes / 1024 / 1024).toFixed(1)} MiB behind`;

const listOf = (standbys: readonly StandbyState[]): string =>
  standbys.map(({ name, behind }) => `${name} (${behindOf(behind)})`).join(', ');

/** Describes the loss of a failover to standbys that confirm each commit. */
const confirmedBy = (standbys: readonly StandbyState[], synchronousCommit: string): string => {
  const failover = `synchronous: a failover to ${standbys.map(({ name }) => name).join(' or ')} loses`;
  return synchronousCommit === 'remote_write'
    ? `${failover} acknowledged writes only if its machine crashes as well (synchronous_commit is remote_write)`
    : `${failover} no acknowledged write`;
};

const asynchronous = (where: string, standbys: readonly StandbyState[], why: string): UnnamedFinding =>
  fine(`${where}: asynchronous${why}: a failover to ${listOf(standbys)} may lose the last writes`);

/** Describes the loss of a failover of this server. */
export const judgeReplication = (where: string, replication: Replication): UnnamedFinding => {
  const { names, waits, standbys, unusedSlots } = replication;
  const missing = missingSynchronous(replication);
  if (missing > 0) {
    const others = standbys.length === 0 ? 'no standby is connected' : `connected: ${listOf(standbys)}`;
    return warning(
      `${where}: writes wait for ${String(missing)} more of synchronous_standby_names (${names}); ${others}`,
      'Start the standby, or take its name out of synchronous_standby_names.',
    );
  }
  if (unusedSlots > 0) {
    return warning(
      `${where}: replication slots without a standby: ${String(unusedSlots)}; the server keeps its log for them`,
      'Start the standby, or drop its slot with pg_drop_replication_slot.',
    );
  }
  if (standbys.length === 0) return fine(`${where}: no standby`);
  const waitedFor = synchronous(replication);
  if (waitedFor.length === 0) {
    const why = names.trim() === '' || waitsForStandby(waits) ? '' : `, since synchronous_commit is ${waits} for this role`;
    return asynchronous(where, standbys, why);
  }
  const others = standbys.filter((one) => !waitedFor.includes(one));
  const also = others.length === 0 ? '' : `; nobody waits for ${listOf(others)}`;
  return fine(`${where}: ${confirmedBy(waitedFor, waits)}${also}`);
};

/** The server that Tenon works on, what its failover would lose, and whether another one takes writes as well. */
export const checkReplication = async (
  database: Database,
  url: string,
  { isEmbedded }: Pick<ExamineOptions, 'isEmbedded'>,
): Promise<UnnamedFinding> => {
  if (isEmbedded) return fine('the embedded PostgreSQL has no standby');
  const [primary, ...others] = [...(await writableServers(url))].sort((one, other) => other.timeline - one.timeline);
  const name = ({ url: one, timeline }: WritableServer): string => `${whereIs(one)} (timeline ${String(timeline)})`;
  if (others.length > 0) {
    return warning(
      `${others.map(name).join(' and ')} takes writes as well as ${primary ? name(primary) : 'the primary'}`,
      'Stop it, or make it a standby: what it acknowledges is lost.',
    );
  }
  return judgeReplication(primary ? name(primary) : whereAre(url), await readReplication(database));
};
