import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ImportReport, Incident, ProductImport, ProductImportPage } from '../../src/adapters/http/answers.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { sweepIncidents } from '../../src/application/insight/sweep-incidents.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const GOOD = '{"name":"Saw","slug":"saw"}\n{"name":"Plane","slug":"plane"}\n';
const BAD = '{"nam":"Chisel"}\n';

describe('the imports of products into a store', () => {
  let server: OpenApp;
  let store: TestStore;
  beforeAll(async () => {
    server = await openApp({ ROLE: 'api' });
    store = await server.aStore('imports.test');
  });
  afterAll(() => server.close());

  const path = (of = store.id): string => `/admin/stores/${of}`;
  const send = async (body: string, query = ''): Promise<ImportReport> =>
    (await server.admin('post', `${path()}/products/import${query}`).type('application/x-ndjson').send(body).expect(200))
      .body as ImportReport;
  const get = (query = '', of = store.id) => server.admin('get', `${path(of)}/product-imports${query}`);
  const list = async (query = ''): Promise<ProductImportPage> => (await get(query).expect(200)).body as ProductImportPage;
  const names = async (): Promise<readonly (string | null)[]> => (await list()).items.map(({ fileName }) => fileName);

  it('come newest first, page by page, with who asked for each, its counts and its first failures', async () => {
    await send(GOOD + BAD, '?fileName=first.ndjson');
    await send(GOOD);
    const first = await list('?take=1');
    expect(first.items).toMatchObject([
      { by: 'Owner', fileName: null, ended: 'complete', read: 2, created: 0, updated: 0, unchanged: 2, failed: 0, errors: [] },
    ]);
    const rest = await list(`?take=1&after=${String(first.next)}`);
    const failed = { line: 3, message: expect.stringContaining('name') as string };
    expect(rest).toMatchObject({
      items: [{ fileName: 'first.ndjson', read: 3, created: 2, failed: 1, errors: [failed] }],
      next: null,
    });
    expect(Date.parse(rest.items[0]?.endedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(rest.items[0]?.startedAt ?? ''));
  });

  it('have the id of the request, and the name of the operator', async () => {
    const made = await server.admin('post', '/admin/operators').send({ name: 'Ada', role: 'operator' }).expect(201);
    const { id } = made.body as { id: string };
    const issued = await server.admin('post', `/admin/operators/${id}/tokens`).send({ name: 'imports' }).expect(201);
    const { token } = issued.body as { token: string };
    const answer = await fetch(`${server.adminUrl}${path()}/products/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: GOOD,
    });
    expect((await list()).items[0]).toMatchObject({ id: answer.headers.get('x-request-id'), by: 'Ada' });
  });

  it('a dry run reports what would be done, writes nothing, and is neither listed nor in the audit log', async () => {
    const before = await names();
    const total = async (): Promise<number> =>
      ((await server.admin('get', `${path()}/products`).expect(200)).body as { total: number }).total;
    const [products, audited] = [await total(), (await server.admin('get', '/admin/audit').expect(200)).text];
    const report = await send(`{"name":"Gouge","slug":"gouge"}\n{"name":"Rip saw","slug":"saw"}\n${BAD}`, '?dryRun=1');
    expect(report).toMatchObject({ read: 3, created: 1, updated: 1, unchanged: 0, failed: 1, ended: 'complete' });
    expect([await names(), await total()]).toEqual([before, products]);
    expect((await server.admin('get', '/admin/audit').expect(200)).text).toBe(audited);
  });

  it('one whose upload ends early is listed as broken off', async () => {
    const { hostname, port } = new URL(server.adminUrl);
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/x-ndjson' };
    const upload = httpRequest({
      ...{ hostname, port, method: 'POST', headers },
      path: `${path()}/products/import?fileName=broken.ndjson`,
    });
    upload.on('error', () => undefined);
    upload.write(GOOD);
    const broken = async (): Promise<ProductImport> => {
      const [newest] = (await list()).items;
      expect(newest).toMatchObject({ fileName: 'broken.ndjson' });
      return newest!;
    };
    await eventually(broken);
    expect(await broken()).toMatchObject({ ended: null, endedAt: null });
    upload.destroy();
    await eventually(async () => expect(await broken()).toMatchObject({ ended: 'broken_off' }));
  });

  it('one that failed is an incident of its store until one has no failures', async () => {
    const sweep = sweepIncidents(server.container.resolve(TOKENS.ports), server.container.resolve(TOKENS.observations));
    const open = async (): Promise<readonly Incident[]> =>
      ((await server.admin('get', `${path()}/incidents?status=open`).expect(200)).body as { items: readonly Incident[] }).items;
    await send(GOOD + BAD, '?fileName=bad.ndjson');
    await sweep();
    expect(await open()).toMatchObject([
      {
        kind: 'product_import_failed',
        title: 'Products not imported',
        name: 'imports.test',
        cause: 'bad.ndjson: 1 of 3 products failed.',
      },
    ]);
    await send(GOOD);
    await sweep();
    expect(await open()).toEqual([]);
  });

  it('404 for an unknown store, and nothing of another store', async () => {
    await get('', randomUUID()).expect(404);
    expect((await get('', (await server.aStore()).id).expect(200)).body).toEqual({ items: [], next: null });
  });
});
