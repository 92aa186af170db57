import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { closeOnSignal } from '../../src/adapters/startup/stop-signals.ts';
import { freePort } from '../../test/support/free-port.ts';

/**
 * Loaded to count the statements of a request, and off while times are measured: see statements.ts.
 */
const SETTINGS = { shared_preload_libraries: 'pg_stat_statements' };
const COUNT_NOTHING = `ALTER SYSTEM SET pg_stat_statements.track = 'none'`;

/** A PostgreSQL of the bench's own, in its shipped settings but for the counting. */
export interface Environment {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  /** Process of the server. */
  readonly pid: number;
  /** Another, empty database of the same server: its address. */
  database(name: string): Promise<string>;
  close(): Promise<void>;
}

export const openEnvironment = async (): Promise<Environment> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenon-bench-'));
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  const forget = closeOnSignal(remove);
  const server = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
  // A bench that fails leaves no server behind.
  const kill = (): void => void process.kill(server.pid, 'SIGINT');
  process.once('exit', kill);
  const forgetKill = closeOnSignal(() => Promise.resolve(process.off('exit', kill)));
  const pool = new pg.Pool({ connectionString: server.url, max: 4 });
  // A pool that was ended does not wait for its connections: one may still hear that the server goes.
  pool.on('error', () => undefined);
  for (const text of [COUNT_NOTHING, 'SELECT pg_reload_conf()']) await pool.query(text);
  return {
    databaseUrl: server.url,
    pool,
    pid: server.pid,
    database: async (name) => {
      await pool.query(`CREATE DATABASE "${name}"`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    close: async () => {
      process.off('exit', kill);
      forgetKill();
      await pool.end();
      await server.stop();
      await remove().finally(forget);
    },
  };
};

/** A redis-server of the bench's own that keeps nothing. Null where none is installed. */
export const startRedis = async (): Promise<{ readonly url: string; stop(): Promise<void> } | null> => {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ready = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept')) resolve(true);
    });
  });
  if (!ready) return null;
  process.once('exit', () => server.kill('SIGKILL'));
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
};
