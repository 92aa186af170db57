import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { readReplication } from '../../src/adapters/prisma/connection/replication.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { startLocally } from '../support/local-server.ts';
import { openPair, socketOf, urlAt } from '../support/pair.ts';
import { aStoreWithApp, bulk, call } from '../support/server.ts';

describe('an address whose server becomes a standby', () => {
  it('is answered with 503, reads included, until that server is promoted', async () => {
    const pair = await openPair();
    const folder = await mkdtemp(join(tmpdir(), 'tenon-moves-'));
    const link = join(folder, 'socket');
    const leadTo = (url: string) => symlink(socketOf(url), link);
    await leadTo(pair.primary.url);
    const server = await startLocally({ databaseUrl: urlAt(link) });
    const onStandby = new pg.Client({ connectionString: pair.standbyUrl });
    try {
      const app = await aStoreWithApp(server, { products: 1 });
      const read = async () => (await call(`${server.url}/apps/catalog/products`, 'GET', app.headers)).status;
      const write = async () => (await bulk(server, app, 'a-write', [{ id: app.productIds[0], name: 'Named' }])).status;
      const ready = async () => (await call(`${server.url}/readyz`, 'GET')).status;
      expect(await read()).toBe(200);
      process.kill(pair.primary.pid, 'SIGQUIT');
      await expect.poll(read).toBe(503);
      await rm(link);
      await leadTo(pair.standbyUrl);
      // The standby does give the token and the products to those who ask it.
      await onStandby.connect();
      expect((await onStandby.query('SELECT FROM products')).rowCount).toBe(1);
      for (let tries = 0; tries < 10; tries += 1) expect([await read(), await write(), await ready()]).toEqual([503, 503, 503]);
      await pair.standby.promote();
      await expect.poll(write).toBe(200);
      expect(await read()).toBe(200);
    } finally {
      await onStandby.end();
      await server.end();
      await pair.end();
      await rm(folder, { recursive: true });
    }
  });
});

describe('replication as a role sees it', () => {
  it.each<readonly [string, object]>([
    ['pg_monitor', { syncState: 'sync', behind: expect.any(Number) as number }],
    // Any other one sees the name, and what a standby with a slot has.
    ['pg_signal_backend', { syncState: null, behind: null }],
  ])('%s', async (role, state) => {
    const pair = await openPair();
    const database = openDatabase({ url: pair.primary.url, connections: 2 });
    try {
      const seen = await database.transaction(async (sql) => {
        await sql.execute(compileStatement({ text: `SET LOCAL ROLE ${role}` }));
        return readReplication(sql);
      });
      expect(seen).toMatchObject({ names: '*', waits: 'remote_apply', unusedSlots: 0, standbys: [{ name: 'tenon', ...state }] });
    } finally {
      await database.close();
      await pair.end();
    }
  });
});
