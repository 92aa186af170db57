import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ImportDetail, ImportSummary } from '../../src/domain/media/import-summary.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';

describe('the image imports of a store', () => {
  let server: OpenApp;
  let app: TestApp;
  let other: TestApp;
  const ids: string[] = [];
  beforeAll(async () => {
    // Nothing is imported here, so an import stays as the request left it.
    server = await openApp({ ROLE: 'api' });
    app = await server.anApp(await server.aStore());
    other = await server.anApp(app.store);
    for (const [n, owner] of [app, app, other].entries()) {
      const call = server.api(owner.store.domain, await server.token(owner));
      const items = [{ sourceUrl: `https://images.example.com/${n}.png`, productId: randomUUID() }];
      const made = await call('post', '/apps/media/imports').set('Idempotency-Key', `k${n}`).send({ items }).expect(202);
      ids.unshift((made.body as { importId: string }).importId);
    }
  });
  afterAll(() => server.close());

  const get = (query = '', storeId = app.store.id) => server.admin('get', `/admin/stores/${storeId}/media-imports${query}`);
  const list = async (query = '') => (await get(query).expect(200)).body as { items: ImportSummary[]; next: string | null };
  const idsOf = async (query = ''): Promise<string[]> => (await list(query)).items.map(({ id }) => id);

  it('come newest first, page by page', async () => {
    const first = await list('?take=2');
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.items[0]).toMatchObject({
      installationId: other.id,
      status: 'Queued',
      items: { total: 1, ready: 0, failed: 0 },
      finishedAt: null,
      firstError: null,
    });
    expect(await list(`?take=2&after=${String(first.next)}`)).toMatchObject({ items: [{ id: ids[2] }], next: null });
  });

  it('match the filters', async () => {
    expect(await idsOf(`?installationId=${app.id}`)).toEqual(ids.slice(1));
    expect(await idsOf('?status=Queued&status=Failed')).toEqual(ids);
    expect(await idsOf('?status=Completed')).toEqual([]);
  });

  it('404 for an unknown store, and nothing of another store', async () => {
    await get('', randomUUID()).expect(404);
    expect((await get('', (await server.aStore()).id).expect(200)).body).toEqual({ items: [], next: null });
  });

  it('one has its items and the request that created it', async () => {
    const { body } = await server.admin('get', `/admin/media-imports/${ids[0] ?? ''}`).expect(200);
    expect(body as ImportDetail).toMatchObject({
      id: ids[0],
      storeId: app.store.id,
      installationId: other.id,
      requestId: expect.any(String) as string,
      items: [{ index: 0, status: 'Pending', sourceUrl: 'https://images.example.com/2.png', mediaId: null, errorCode: null }],
    });
    await server.admin('get', `/admin/media-imports/${randomUUID()}`).expect(404);
    await server.admin('get', '/admin/media-imports/x').expect(404);
  });
});
