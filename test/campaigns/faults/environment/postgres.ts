import pg from 'pg';

import { openDatabase } from '../../../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../../../src/adapters/prisma/connection/migrate.ts';
import { named } from '../../../support/query-on.ts';
import { until } from '../until.ts';
import type { CitusFaults } from './citus.ts';
import { openServer, type Server } from './server.ts';

/** A PostgreSQL of the campaign's own: what it acknowledged survives. */
export interface Postgres extends Pick<Server, 'crash' | 'freeze' | 'prepareFailover'> {
  /** Further faults of a Citus coordinator; null for a single server. */
  readonly citus: CitusFaults | null;
  /** The database of that name, with both servers as hosts. */
  bothUrl(name: string): string;
  /** A database of a round's own, migrated. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /**
   * Crashes like `crash`, at the moment at which a request has claimed its key in this database and
   * works. Resolves with the number of such claims that are lost: the log was not on the disk yet.
   */
  crashAfterClaim(name: string): Promise<number>;
  /** Ends up to this many random connections of the database. Resolves with their number. */
  terminate(name: string, limit: number): Promise<number>;
  close(): Promise<void>;
}

/** Claims of the last moment: what was not awaited may still be away from the disk. */
const CLAIMED = `SELECT installation_id || ' ' || key AS key FROM idempotency_records
  WHERE finished_at IS NULL AND created_at > clock_timestamp() - interval '3 ms'`;
const KEPT = `SELECT FROM idempotency_records WHERE installation_id || ' ' || key = ANY ($1::text[])`;
const CLAIM_MS = 3_000;
/** Ends random connections of a database. */
export const TERMINATE =
  'SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE datname = $1 ORDER BY random() LIMIT $2) AS b';
/**
 * A commit that waits for the disk takes the claims before it along. It comes 100 ms late, so that
 * the crash is first.
 */
const FLUSH_LATE = ['ALTER SYSTEM SET commit_delay = 100000', 'ALTER SYSTEM SET commit_siblings = 0', 'SELECT pg_reload_conf()'];
const FLUSH_AGAIN = ['ALTER SYSTEM RESET commit_delay', 'ALTER SYSTEM RESET commit_siblings', 'SELECT pg_reload_conf()'];

export const openPostgres = async (): Promise<Postgres> => {
  const server = await openServer();
  const template = openDatabase({ url: server.url });
  await migrate(template);
  await template.close();

  const administer = async (sql: string, values: unknown[] = [], name = 'postgres'): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: named(server.url, name) });
    await client.connect();
    try {
      return await client.query(sql, values);
    } finally {
      await client.end();
    }
  };
  return {
    citus: null,
    createDatabase: async (name) => {
      await administer(`CREATE DATABASE ${name} TEMPLATE tenon STRATEGY FILE_COPY`);
      return named(server.url, name);
    },
    dropDatabase: async (name) => {
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
    bothUrl: (name) => named(server.bothUrl, name),
    crash: server.crash,
    freeze: server.freeze,
    prepareFailover: server.prepareFailover,
    crashAfterClaim: async (name) => {
      const client = new pg.Client({ connectionString: named(server.url, name) });
      // The client is cut off as well.
      client.on('error', () => undefined);
      await client.connect();
      for (const sql of FLUSH_LATE) await client.query(sql);
      let claimed: string[] = [];
      await until(
        async () => {
          claimed = (await client.query<{ key: string }>(CLAIMED)).rows.map(({ key }) => key);
          return claimed.length > 0;
        },
        CLAIM_MS,
        0,
      );
      await server.crash();
      for (const sql of FLUSH_AGAIN) await administer(sql);
      return claimed.length - ((await administer(KEPT, [claimed], name)).rowCount ?? 0);
    },
    terminate: async (name, limit) => {
      const { rowCount } = await administer(TERMINATE, [name, limit]);
      return rowCount ?? 0;
    },
    close: server.stop,
  };
};
