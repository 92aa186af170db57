import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { root } from '../architecture/source.ts';
import { awaitLockWaits } from '../support/lock-waits.ts';
import { runMain, type MainProcess } from '../support/main-process.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, bulk, call, SETTINGS } from '../support/server.ts';

/** A package of its own with the built code, as `npm run build` leaves it. */
let folder = '';
const runs: MainProcess[] = [];

const run = (env: Record<string, string> = {}, ...args: string[]): MainProcess => {
  const made = runMain({ cwd: folder, command: [process.execPath, 'dist/main.js', 'start', ...args], env });
  runs.push(made);
  return made;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-built-'));
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'));
  for (const name of ['node_modules', 'prisma', 'docs', 'examples']) await symlink(join(root, name), join(folder, name));
  // Compiles like `npm run build`, without the check of the types, which runs elsewhere.
  const args = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', join(folder, 'dist')];
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), args, { cwd: root });
  for (const [program, made] of [
    ['console/build.ts', 'dist/console'],
    ['.ci/site.ts', 'dist/site'],
  ] as const)
    await promisify(execFile)(process.execPath, ['--import', 'tsx', program, join(folder, made)], { cwd: root });
});

afterAll(async () => {
  await Promise.all(runs.map((made) => made.stop()));
  await rm(folder, { recursive: true, force: true });
});

const listening = async (server: MainProcess): Promise<{ url: string; adminUrl: string }> => {
  const line = (await server.says('"msg":"listening"')).split('\n').find((text) => text.includes('"msg":"listening"'));
  return JSON.parse(line ?? '') as { url: string; adminUrl: string };
};

it('the compiled server starts, serves its pages, and keeps its data at the second start', async () => {
  const first = run();
  await first.says('with Idempotent-Replay: true.');
  const { url, adminUrl } = await listening(first);
  const page = await call(`${adminUrl}/console`, 'GET');
  const [, script = ''] = /src="(\/console\/assets\/main-[^"]+)"/.exec(page.body) ?? [];
  expect([page.status, (await call(`${adminUrl}${script}`, 'GET')).status]).toEqual([200, 200]);
  for (const path of ['/openapi.json', '/docs', '/docs/reference', '/readyz']) {
    expect([path, (await call(`${url}${path}`, 'GET')).status]).toEqual([path, 200]);
  }
  expect(await first.stop()).toBe(0);
  const second = run();
  expect(await second.says('rotate-signing-secret')).toContain('The data of earlier starts is kept');
  expect(await second.stop()).toBe(0);
  expect([first.err().split('\n').length, second.err()]).toEqual([3, '']);
});

it('the compiled server lists its settings with --help', async () => {
  const made = run({}, '--help');
  expect(await made.ended).toBe(0);
  expect(made.out()).toContain('DATABASE_URL');
});

it('after SIGTERM under load, every executed request was answered, and the server exits with 0', async () => {
  const database = await openTestDatabase();
  try {
    const server = run({ ...SETTINGS, DATABASE_URL: database.url });
    const addresses = await listening(server);
    const app = await aStoreWithApp(addresses, { products: 20 });
    let answered = 0;
    // Each sends its next request as soon as it has the answer, until one doesn't get through.
    const client = async (k: number): Promise<void> => {
      for (let n = 0; ; n += 1) {
        const change = [{ id: app.productIds[k], name: `Round ${String(n)}` }];
        const answer = await bulk(addresses, app, `load-${String(k)}-${String(n)}`, change).catch(() => null);
        if (answer === null) return;
        expect(answer.status).toBe(200);
        answered += 1;
        if (answered === 100) server.child.kill('SIGTERM');
      }
    };
    await Promise.all(app.productIds.map((_, k) => client(k)));
    expect(await server.ended).toBe(0);
    expect(answered).toBeGreaterThanOrEqual(100);
    expect(await database.query("SELECT 1 FROM events WHERE type = 'product.updated'")).toHaveLength(answered);
  } finally {
    await database.close();
  }
});

it('after SIGTERM while a request waits for a lock that is never released, the server exits with 0 and the request changes nothing', async () => {
  const database = await openTestDatabase();
  const holder = new pg.Client({ connectionString: database.url });
  try {
    const server = run({ ...SETTINGS, DATABASE_URL: database.url });
    const addresses = await listening(server);
    const app = await aStoreWithApp(addresses, { products: 1 });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [app.productIds[0]]);
    const cut = expect(bulk(addresses, app, 'stuck', [{ id: app.productIds[0], name: 'Never' }])).rejects.toThrow();
    await awaitLockWaits(database);
    const at = performance.now();
    expect(await server.stop()).toBe(0);
    // The server waits 8 s for its requests; a busy machine takes longer to end it. Without a limit
    // it would wait for the lock for ever.
    expect(performance.now() - at).toBeLessThan(40_000);
    await cut;
    await holder.query('COMMIT');
    expect(await database.query("SELECT 1 FROM events WHERE type = 'product.updated'")).toEqual([]);
  } finally {
    await holder.end();
    await database.close();
  }
});
