import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './free-port.ts';

export interface PgBouncer {
  /** Address of the same database, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Looks for pgbouncer. Under CI=true there must be one, so that its tests fail and don't go missing. */
export const pgbouncerAvailable = !spawnSync('pgbouncer', ['--version']).error || process.env['CI'] === 'true';
if (!pgbouncerAvailable) console.warn('SKIPPED: the tests with a pooler. Install pgbouncer.');

/** A pgbouncer with the settings of its package before the PostgreSQL of that URL. */
export const startPgBouncer = async (databaseUrl: string, mode: 'session' | 'transaction', settings = ''): Promise<PgBouncer> => {
  const target = new URL(databaseUrl);
  // The tests' PostgreSQL has a socket only.
  const host = target.searchParams.get('host') ?? '';
  const directory = await mkdtemp(join(tmpdir(), 'tenon-pgbouncer-'));
  const port = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${host} port=${target.port || '5432'} user=${target.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${String(port)}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 80',
    settings,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  // pgbouncer does not run as root. The user of the server may read its socket, and must be able to
  // read these settings.
  await chmod(directory, 0o755);
  const { uid, gid } = await stat(host);
  const pooler = spawn('pgbouncer', [file], { uid, gid, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    pooler.once('error', reject);
    pooler.once('exit', () => reject(new Error(`pgbouncer ended: ${said}`)));
    pooler.stderr.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes('process up')) resolve();
    });
  });
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      if (pooler.exitCode === null) {
        pooler.kill('SIGKILL');
        await once(pooler, 'exit');
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
};
