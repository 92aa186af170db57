import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

import { startEmbeddedPostgres } from '../../../../src/adapters/embedded/postgres.ts';
import { openDatabase } from '../../../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../../../src/adapters/prisma/connection/migrate.ts';

/** A PostgreSQL of the campaign's own, in its shipped settings: what it acknowledged survives. */
export interface Postgres {
  /** A database of a round's own, migrated. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** Immediate stop, as a crash is, and a new start. Resolves once it accepts connections again. */
  crash(): Promise<void>;
  /** Ends up to this many random connections of the database. Resolves with their number. */
  terminate(name: string, limit: number): Promise<number>;
  close(): Promise<void>;
}

const named = (url: string, name: string): string => url.replace(/\/[^/?]*\?/, `/${name}?`);

export const openPostgres = async (): Promise<Postgres> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tenon-faults-'));
  let crashing = false;
  let ended = (): void => undefined;
  const launch = () =>
    startEmbeddedPostgres({
      dataDir,
      onUnexpectedExit: (error) => {
        if (!crashing) throw error;
        ended();
      },
    });
  let server = await launch();
  // A campaign that is interrupted leaves no server behind.
  const kill = (): void => void process.kill(server.pid, 'SIGINT');
  process.once('exit', kill);
  const template = openDatabase({ url: server.url });
  await migrate(template);
  await template.close();

  const administer = async (sql: string, values: unknown[] = []): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: named(server.url, 'postgres') });
    await client.connect();
    try {
      return await client.query(sql, values);
    } finally {
      await client.end();
    }
  };
  return {
    createDatabase: async (name) => {
      await administer(`CREATE DATABASE ${name} TEMPLATE tenon STRATEGY FILE_COPY`);
      return named(server.url, name);
    },
    dropDatabase: async (name) => {
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
    crash: async () => {
      crashing = true;
      const end = new Promise<void>((resolve) => {
        ended = resolve;
      });
      process.kill(server.pid, 'SIGQUIT');
      await end;
      await server.stop();
      server = await launch();
      crashing = false;
    },
    terminate: async (name, limit) => {
      const { rowCount } = await administer(
        'SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE datname = $1 ORDER BY random() LIMIT $2) AS b',
        [name, limit],
      );
      return rowCount ?? 0;
    },
    close: async () => {
      process.off('exit', kill);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
