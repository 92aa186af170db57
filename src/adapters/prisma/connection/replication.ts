import { timelineOf } from '../../postgres/timeline.ts';
import { serverUrls } from '../../startup/database-url.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

/** Whom a commit waits for. */
export const REPLICATION = statement({
  text: `
    SELECT current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS waits,
      (SELECT count(*)::int FROM pg_stat_replication) AS standbys`,
  row: { names: 'text', waits: 'text', standbys: 'int4' },
});

/** False while writes wait for a standby, or would. */
export const hasStandby = async (database: Database): Promise<boolean> => {
  const [facts] = await database.rows(REPLICATION);
  const isAway = facts !== undefined && facts.names.trim() !== '' && !/^(off|local)$/.test(facts.waits) && facts.standbys === 0;
  return !isAway && !database.isStalled();
};

export interface WritableServer {
  readonly url: string;
  readonly timeline: number;
}

/** The servers of this DATABASE_URL that take writes: one, unless an old primary still runs. */
export const writableServers = async (url: string): Promise<readonly WritableServer[]> => {
  const servers = await Promise.all(
    serverUrls(url).map(async (one) => ({ url: one, timeline: await timelineOf(one).catch(() => null) })),
  );
  return servers.flatMap(({ url: one, timeline }) => (timeline === null ? [] : [{ url: one, timeline }]));
};
