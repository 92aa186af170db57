import type { Database } from '../../prisma/connection/database.ts';
import { REPLICATION, writableServers } from '../../prisma/connection/replication.ts';
import type { WritableServer } from '../../prisma/connection/replication.ts';
import { whereAre, whereIs } from '../../startup/database-url.ts';
import type { Config } from '../settings/config.ts';
import { fine, warning } from './finding.ts';
import type { Found } from './finding.ts';

interface Facts {
  readonly names: string;
  readonly waits: string;
  readonly standbys: number;
}

/** A standby that only has the log in its memory, or that nobody waits for, may lack the last writes. */
const WAITS_FOR_STANDBY = ['on', 'remote_apply'];

/** What a failover of this server would lose. */
export const judgeReplication = (where: string, { names, waits, standbys }: Facts): Found => {
  const isNamed = names.trim() !== '';
  if (isNamed && standbys === 0) {
    return warning(
      `${where}: synchronous_standby_names is set, and no standby is connected, so writes wait`,
      'Start the standby, or take its name out of synchronous_standby_names.',
    );
  }
  if (standbys === 0) return fine(`${where}: no standby`);
  if (isNamed && WAITS_FOR_STANDBY.includes(waits)) return fine(`${where}: synchronous: a failover loses no acknowledged write`);
  return fine(`${where}: asynchronous: a failover may lose the last writes`);
};

/** The server that Tenon works on, what its failover would lose, and whether another one takes writes as well. */
export const checkReplication = async (
  database: Database,
  url: string,
  { DATABASE_URL }: Pick<Config, 'DATABASE_URL'>,
): Promise<Found> => {
  if (DATABASE_URL === undefined) return fine('the embedded PostgreSQL has no standby');
  const [primary, ...others] = [...(await writableServers(url))].sort((one, other) => other.timeline - one.timeline);
  const name = ({ url: one, timeline }: WritableServer): string => `${whereIs(one)} (timeline ${String(timeline)})`;
  if (others.length > 0) {
    return warning(
      `${others.map(name).join(' and ')} takes writes as well as ${primary ? name(primary) : 'the primary'}`,
      'Stop it, or make it a standby: what it acknowledges is lost.',
    );
  }
  const [facts] = await database.rows(REPLICATION);
  return judgeReplication(primary ? name(primary) : whereAre(url), facts ?? { names: '', waits: 'on', standbys: 0 });
};
