import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';

import { root } from '../../architecture/source.ts';
import { freePort } from '../../support/free-port.ts';
import { openTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { asAdmin, startProcess, type ServerProcess } from '../../support/server.ts';

/** A server that is killed and started again at the same address, and a store with an app there. */
export interface World {
  readonly database: TestDatabase;
  readonly storeId: string;
  readonly installationId: string;
  /** The options of the client, and the database, for a process of the app. */
  readonly env: Readonly<Record<'STORE' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'DATABASE_URL', string>>;
  readonly productIds: readonly string[];
  readonly admin: (method: 'GET' | 'POST', path: string, body?: unknown, type?: string) => Promise<unknown>;
  /** Kills the server by SIGKILL and starts it again. Resolves when it listens. */
  readonly killServer: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const PLENTY = '100000';

export const openWorld = async (products: number): Promise<World> => {
  const [database, port, adminPort] = [await openTestDatabase(), await freePort(), await freePort()];
  const env = {
    ...{ PORT: String(port), ADMIN_PORT: String(adminPort) },
    ...{ TOKEN_RATE_LIMIT_PER_SECOND: PLENTY, TOKEN_RATE_LIMIT_BURST: PLENTY },
  };
  const start = (): Promise<ServerProcess> => startProcess({ databaseUrl: database.url, env });
  let server = await start();

  const admin: World['admin'] = async (method, path, body, type) => {
    const answer = await asAdmin(server, method, path, body, type);
    expect(answer.status, answer.body).toBeLessThan(300);
    return answer.body === '' ? null : (JSON.parse(answer.body) as unknown);
  };
  const { id: storeId } = (await admin('POST', '/admin/stores', { domain: '127.0.0.1' })) as { id: string };
  const lines = Array.from({ length: products }, (_, n) => JSON.stringify({ name: `Product ${String(n)}` }));
  await admin('POST', `/admin/stores/${storeId}/products/import`, lines.join('\n'), 'application/x-ndjson');
  const wanted = { name: 'App', scopes: ['write_products'] };
  const app = (await admin('POST', `/admin/stores/${storeId}/apps`, wanted)) as {
    readonly installation: { readonly id: string };
    readonly clientId: string;
    readonly clientSecret: string;
  };
  const rows = await database.query<{ id: string }>('SELECT id::text FROM products ORDER BY created_at, id');
  return {
    database,
    storeId,
    installationId: app.installation.id,
    env: {
      STORE: `http://127.0.0.1:${String(port)}`,
      CLIENT_ID: app.clientId,
      CLIENT_SECRET: app.clientSecret,
      DATABASE_URL: database.url,
    },
    productIds: rows.map(({ id }) => id),
    admin,
    killServer: async () => {
      server.kill('SIGKILL');
      expect((await server.exited).signal).toBe('SIGKILL');
      server = await start();
    },
    close: async () => {
      await server.end();
      await database.close();
    },
  };
};

/** A process of the app that reports by lines of JSON. */
export interface AppProcess {
  /** Ends it by SIGKILL. Throws when it has ended by itself. */
  readonly kill: () => Promise<void>;
  /** Exit status. */
  readonly ended: Promise<number | null>;
}

/** Starts a process of the app; `onLine` gets each line of its standard output. */
export const startAppProcess = (
  file: string,
  env: Readonly<Record<string, string>>,
  onLine: (line: unknown) => void,
): AppProcess => {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'test/campaigns/client-faults', file)], {
    cwd: root,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  createInterface({ input: child.stdout }).on('line', (line) => onLine(JSON.parse(line)));
  return {
    kill: async () => {
      child.kill('SIGKILL');
      expect((await ended)[1]).toBe('SIGKILL');
    },
    ended: ended.then(([code]) => code),
  };
};
