import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Test } from 'supertest';

import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const BULK = '/apps/catalog/products/bulk';

describe('GET /admin/apps/{installationId}/idempotency-keys/{key}', () => {
  let server: OpenApp;
  let app: TestApp;
  let token: string;
  let product: string;
  beforeAll(async () => {
    server = await openApp({ ROLE: 'api' });
    app = await server.anApp(await server.aStore());
    token = await server.token(app);
    [product = ''] = await server.importProducts(app.store, [{ name: 'Saw', variants: [{ sku: 'S', currency: 'EUR' }] }]);
  });
  afterAll(() => server.close());

  const bulk = (key: string, name: string): Test =>
    server
      .api(app.store.domain, token)('post', BULK)
      .set('Idempotency-Key', key)
      .send({ products: [{ id: product, name }] });
  const lifeOf = (key: string, installationId = app.id): Test =>
    server.admin('get', `/admin/apps/${installationId}/idempotency-keys/${encodeURIComponent(key)}`);
  const eventsOf = async (requestId: string | undefined): Promise<string[]> =>
    (await server.database.query<{ id: string }>('SELECT id FROM events WHERE request_id = $1 ORDER BY id', [requestId])).map(
      ({ id }) => id,
    );

  it('shows what ran under the key, what it caused and how it was used again', async () => {
    const first = await bulk('life', 'Dovetail saw').expect(200);
    await bulk('life', 'Dovetail saw').expect(200);
    await bulk('life', 'Dovetail saw').expect(200);
    await bulk('life', 'Tenon saw').expect(422);
    const life = await eventually(async () => {
      const { body } = await lifeOf('life').expect(200);
      expect(body).toMatchObject({ replays: 2, mismatches: 1, conflicts: 0 });
      return body as Record<string, unknown>;
    });
    const eventIds = await eventsOf(first.headers['x-request-id']);
    expect(eventIds).toHaveLength(1);
    expect(life).toMatchObject({ state: 'finished', status: 200, bytes: first.text.length, replayable: true, eventIds });
    const { text } = await server.admin('get', '/metrics').expect(200);
    expect(text).toContain('tenon_idempotency_key_uses_total{use="replays"} 2\n');
    expect(text).toContain('tenon_app_refusals_total{check="claim"} 1\n');
    expect(text).toMatch(/^tenon_database_connections\{state="idle"\} [1-9]/m);
  });

  it('counts a conflict while the first request runs', async () => {
    const blocker = await server.database.pool.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('SELECT FROM products WHERE id = $1 FOR UPDATE', [product]);
      const running = bulk('slow', 'Rip saw').then((answer) => answer.status);
      await eventually(async () => expect((await lifeOf('slow')).body).toMatchObject({ state: 'running', finishedAt: null }));
      await bulk('slow', 'Rip saw').expect(409);
      await eventually(async () => expect((await lifeOf('slow')).body).toMatchObject({ state: 'running', conflicts: 1 }));
      await blocker.query('COMMIT');
      expect(await running).toBe(200);
      expect((await lifeOf('slow')).body).toMatchObject({ state: 'finished', conflicts: 1 });
    } finally {
      blocker.release();
    }
  });

  it.each(['a/b', 'a b', '100 %', '?x=1#y', '%2F', '..', '~"\\<>|', 'k'.repeat(255)])('finds the key %s', async (key) => {
    await bulk(key, `Saw ${key.length}`).expect(200);
    const path = `/admin/apps/${app.id}/idempotency-keys/${encodeURIComponent(key).replaceAll('.', '%2E')}`;
    const answer = await server.admin('get', path);
    // A client takes `..` for a step up, even where it is encoded.
    if (key !== '..') expect([answer.status, (answer.body as { status: number }).status]).toEqual([200, 200]);
  });

  it('404 for the key of another installation, and after the app is uninstalled', async () => {
    const other = await server.anApp(app.store);
    const its = await server.token(other);
    await server
      .api(app.store.domain, its)('post', BULK)
      .set('Idempotency-Key', 'its own')
      .send({ products: [{ id: product, name: 'Fret saw' }] })
      .expect(200);
    await lifeOf('its own').expect(404);
    await lifeOf('its own', other.id).expect(200);
    await server.admin('post', `/admin/apps/${other.id}/uninstall`).expect(204);
    await lifeOf('its own', other.id).expect(404);
  });
});
