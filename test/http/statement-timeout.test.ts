import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

const TIMEOUT_MS = 300;
const BULK = '/apps/catalog/products/bulk';

describe('DATABASE_STATEMENT_TIMEOUT_MS', () => {
  let server: OpenApp;
  let store: TestStore;
  let app: TestApp;
  let id: string;
  let holder: pg.Client;
  beforeAll(async () => {
    // The pools have a connection for requests and one for the look at tokens: the connection after
    // the timeout is the one that had it.
    server = await openApp({
      DATABASE_STATEMENT_TIMEOUT_MS: String(TIMEOUT_MS),
      SEARCH_TIMEOUT_MS: '200',
      DATABASE_CONNECTIONS: '2',
    });
    store = await server.aStore();
    app = await server.anApp(store);
    [id = ''] = await server.importProducts(store, [{ name: 'Plane' }]);
    holder = new pg.Client({ connectionString: server.database.url });
    await holder.connect();
  });
  afterAll(async () => {
    await holder.end();
    await server.close();
  });

  const locked = async (work: () => Promise<void>): Promise<void> => {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [id]);
    try {
      await work();
    } finally {
      await holder.query('ROLLBACK');
    }
  };
  const connections = () =>
    server.database.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'tenon node%' ORDER BY pid`,
    );
  const failures = (): number => server.logged().filter(({ msg }) => msg === 'request failed').length;

  it('a longer statement gets 503 and is logged once; the connection and the idempotency key are free for the next request', async () => {
    const ask = server.api(store.domain, await server.token(app));
    const bulk = (metaTitle: string, key: string) =>
      ask('post', BULK)
        .set('Idempotency-Key', key)
        .send({ products: [{ id, metaTitle }] });
    expect((await bulk('First', 'first')).status).toBe(200);
    const before = await connections();
    await locked(async () => {
      const cut = await bulk('Second', 'second');
      expect([cut.status, cut.body, cut.headers['retry-after']]).toEqual([
        503,
        { error: expect.any(String), code: 'unavailable' },
        '1',
      ]);
      expect(failures()).toBe(1);
    });
    const again = await bulk('Second', 'second');
    expect([again.status, again.body, again.headers['idempotent-replay']]).toEqual([
      200,
      expect.objectContaining({ succeeded: 1 }),
      undefined,
    ]);
    expect(await connections()).toEqual(before);
    expect(failures()).toBe(1);
  });

  it('the admin API waits longer, on the same connections: an import is not cut off', async () => {
    await locked(async () => {
      const admin = server
        .admin('post', `/admin/stores/${store.id}/products/import`)
        .type('application/x-ndjson')
        .send(`${JSON.stringify({ id, name: 'Plane, imported' })}\n`)
        .then((answer) => answer);
      // The request waits for the lock for several times the timeout, however slow the machine is.
      const waits = () =>
        server.database.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND clock_timestamp() - query_start > make_interval(secs => $1)`,
          [(4 * TIMEOUT_MS) / 1000],
        );
      await expect.poll(waits, { timeout: 60_000, interval: 50 }).toHaveLength(1);
      await holder.query('ROLLBACK');
      expect((await admin).body).toMatchObject({ updated: 1, failed: 0 });
    });
  });

  it('a search that takes longer than SEARCH_TIMEOUT_MS gets 503 and says what to do', async () => {
    const ask = server.api(store.domain, await server.token(app));
    const logged = failures();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE product_search IN ACCESS EXCLUSIVE MODE');
    try {
      const cut = await ask('get', '/apps/catalog/products?q=plane');
      expect([cut.status, cut.body, cut.headers['retry-after']]).toEqual([
        503,
        { error: 'The search took too long. Use a longer or more specific q.', code: 'unavailable' },
        '1',
      ]);
      expect((await ask('get', '/apps/catalog/products')).status).toBe(200);
    } finally {
      await holder.query('ROLLBACK');
    }
    expect((await ask('get', '/apps/catalog/products?q=plane')).body).toMatchObject({ total: 1 });
    expect(failures()).toBe(logged);
  });

  it('each connection has the limit from its start', async () => {
    const ask = server.api(store.domain, await server.token(app));
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE products IN ACCESS EXCLUSIVE MODE');
    try {
      expect((await ask('get', '/apps/catalog/products')).status).toBe(503);
      await holder.query('ROLLBACK; BEGIN; LOCK TABLE access_tokens IN ACCESS EXCLUSIVE MODE');
      expect((await ask('get', '/apps/catalog/products')).status).toBe(503);
    } finally {
      await holder.query('ROLLBACK');
    }
    expect((await ask('get', '/apps/catalog/products')).status).toBe(200);
  });
});
