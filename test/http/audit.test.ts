import { createHash } from 'node:crypto';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { chainedText } from '../../src/domain/insight/audit.ts';
import type { AuditedChange } from '../../src/adapters/http/answers.ts';
import { NO_STORE } from '../../src/domain/ports/locator.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };

let app: OpenApp;
let store: TestStore;
let installed: TestApp;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api' });
  store = await app.aStore();
  installed = await app.anApp(store);
});
afterAll(() => app.close());

const changes = async (query = ''): Promise<readonly AuditedChange[]> => {
  const { body } = await app.admin('get', `/admin/audit?take=250${query}`).expect(200);
  return (body as { items: AuditedChange[] }).items;
};
const newest = async (): Promise<AuditedChange | undefined> => (await changes())[0];
const anOperator = async (name: string, more: object = {}): Promise<{ id: string; token: string }> => {
  const { body } = await app
    .admin('post', '/admin/operators')
    .send({ name, role: 'operator', ...more })
    .expect(201);
  const { id } = body as { id: string };
  const issued = await app.admin('post', `/admin/operators/${id}/tokens`).send({ name }).expect(201);
  return { id, token: (issued.body as { token: string }).token };
};

it('a change has an entry with who, from where, over which way, and what was there before and after', async () => {
  const { id, token } = await anOperator('Ada');
  const path = `/admin/stores/${store.id}`;
  const changing = request(app.adminUrl).patch(path).set('Authorization', `Bearer ${token}`).send({ name: 'Changed' });
  const answer = await changing.expect(200);
  const entry = await newest();
  expect(entry).toMatchObject({
    storeId: store.id,
    operatorId: id,
    operator: 'Ada',
    what: 'Change a store',
    way: 'api',
    address: '127.0.0.1',
    route: 'PATCH /admin/stores/:storeId',
    path,
    requestId: answer.headers['x-request-id'],
    body: { name: 'Changed' },
    before: { id: store.id },
    outcome: { status: 200, code: null, after: { name: 'Changed' } },
  });
  expect(entry?.before).not.toMatchObject({ name: 'Changed' });
});

it('a change that was refused has its status, and what was created its id', async () => {
  await app.admin('post', `/admin/stores/${store.id}/apps`).send({ name: 'Made', scopes: [] }).expect(201);
  const made = await newest();
  expect(made?.outcome).toMatchObject({ status: 201, created: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
  await app.admin('post', '/admin/stores').send({ domain: store.domain }).expect(409);
  expect(await newest()).toMatchObject({ storeId: null, outcome: { status: 409, code: 'conflict', created: null } });
});

it('the console and the command line are different ways', async () => {
  const { token } = await anOperator('Grace');
  const signedIn = await request(app.adminUrl).post('/console/session').set(OWN_PAGE).send({ token }).expect(200);
  const cookie = (signedIn.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  const path = `/console/api/stores/${store.id}`;
  await request(app.adminUrl).patch(path).set(OWN_PAGE).set('Cookie', cookie).send({ name: 'By console' }).expect(200);
  expect(await newest()).toMatchObject({ way: 'console', operator: 'Grace' });
  const env = { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: token };
  expect((await runCommand(['store', 'update', store.id, '--name', 'By hand'], { env })).status).toBe(0);
  expect(await newest()).toMatchObject({ way: 'command_line', operator: 'Grace' });
});

it('no entry has a credential', async () => {
  const sent = { method: 'GET', path: '/apps/catalog/products', headers: { Authorization: 'Bearer tnn_at_0123456789' } };
  await app.admin('post', `/admin/apps/${installed.id}/try`).send(sent).expect(200);
  await app.admin('post', `/admin/apps/${installed.id}/rotate-client-secret`).send({}).expect(200);
  const { token } = await anOperator('Lin');
  const { text } = await app.admin('get', '/admin/audit/export').expect(200);
  expect(text).toContain('/try');
  for (const secret of ['0123456789', token, installed.clientSecret, 'whsec_']) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/tnn_(?:cs|op|at|session|code)_\w/);
});

it('reading has no entry, and neither has a recorded event', async () => {
  const before = (await changes()).length;
  await app.admin('get', `/admin/stores/${store.id}`).expect(200);
  await app
    .admin('post', `/admin/stores/${store.id}/events`)
    .send({ type: 'order.paid', data: { id: '1' } })
    .expect(202);
  expect((await changes()).length).toBe(before);
});

it('entries are filtered by store, operator and time, and come in pages', async () => {
  const { id, token } = await anOperator('Filter');
  const other = await app.aStore();
  for (const one of [store, other]) {
    const path = `/admin/stores/${one.id}`;
    await request(app.adminUrl).patch(path).set('Authorization', `Bearer ${token}`).send({ name: 'Filtered' }).expect(200);
  }
  expect((await changes(`&operator=${id}`)).map(({ storeId }) => storeId)).toEqual([other.id, store.id]);
  expect(await changes(`&operator=${id}&store=${store.id}`)).toHaveLength(1);
  expect(await changes(`&operator=${id}&since=9999-01-01T00:00:00Z`)).toEqual([]);
  const first = await app.admin('get', `/admin/audit?operator=${id}&take=1`).expect(200);
  const { next } = first.body as { next: string };
  const second = await app.admin('get', `/admin/audit?operator=${id}&take=1&after=${encodeURIComponent(next)}`).expect(200);
  expect(second.body).toMatchObject({ items: [{ storeId: store.id }], next: null });
});

it('the export has every entry as a line, and the command line lists them', async () => {
  const { text } = await app.admin('get', '/admin/audit/export').expect(200);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditedChange);
  expect(lines.map(({ id }) => id)).toEqual((await changes()).map(({ id }) => id));
  const env = { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN };
  const { out } = await runCommand(['audit', '--operator', 'Filter', '--json'], { env });
  expect(out.trim().split('\n')).toHaveLength(2);
});

it('an erased store leaves who erased it, and no entry of its own', async () => {
  const doomed = await app.aStore();
  await app.admin('patch', `/admin/stores/${doomed.id}`).send({ name: 'Doomed' }).expect(200);
  await app.admin('delete', `/admin/stores/${doomed.id}?confirm=${doomed.domain}`).expect(202);
  expect(await newest()).toMatchObject({ storeId: null, path: `/admin/stores/${doomed.id}`, before: { domain: doomed.domain } });
  const { storeErasure } = app.container.resolve(TOKENS.ports);
  await app.database.query("UPDATE store_erasures SET at = at - interval '1 hour'");
  while ((await storeErasure.eraseRows(1_000)) > 0);
  expect(await changes(`&store=${doomed.id}`)).toEqual([]);
  expect((await changes()).some(({ path }) => path === `/admin/stores/${doomed.id}`)).toBe(true);
});

describe('the chain', () => {
  const verified = async (): Promise<{ violated: number; examples: string[] }> => {
    const { body } = await app.admin('get', '/admin/verify').expect(200);
    const { invariants } = body as { invariants: { name: string; violated: number; examples: string[] }[] };
    const found = invariants.find(({ name }) => name === 'audit_chained');
    if (!found) throw new Error('the chain is checked');
    return found;
  };
  /** Runs a change of the table by hand, and undoes it. */
  const after = async (sql: string): Promise<number> => {
    await app.database.query('CREATE TABLE kept AS SELECT * FROM audit_log');
    try {
      await app.database.query(sql, [store.id]);
      return (await verified()).violated;
    } finally {
      await app.database.query('DELETE FROM audit_log');
      await app.database.query('INSERT INTO audit_log SELECT * FROM kept');
      await app.database.query('DROP TABLE kept');
    }
  };

  it('holds, and a reader can follow it', async () => {
    expect((await verified()).violated).toBe(0);
    const rows = await app.database.query<{ hash: string; content: string; id: string; at: string; number: number }>(
      `SELECT encode(hash, 'hex') AS hash, content, id, iso(at) AS at, number::int AS number FROM audit_log WHERE store_id = $1 AND number <= 2 ORDER BY number`,
      [NO_STORE],
    );
    let previous = '';
    for (const { hash, ...row } of rows) {
      const [whole] = await app.database.query<{ operatorId: string | null; answers: string | null }>(
        'SELECT operator_id AS "operatorId", answers FROM audit_log WHERE id = $1',
        [row.id],
      );
      const text = chainedText({
        storeId: NO_STORE,
        ...row,
        operatorId: whole?.operatorId ?? null,
        answers: whole?.answers ?? null,
      });
      expect(createHash('sha256').update(Buffer.from(previous, 'hex')).update(text).digest('hex')).toBe(hash);
      previous = hash;
    }
    expect(previous).not.toBe('');
  });

  it.each([
    ['an entry that was changed', "UPDATE audit_log SET content = replace(content, 'Ada', 'Eve') WHERE store_id = $1"],
    ['an entry of another operator', 'UPDATE audit_log SET operator_id = NULL WHERE store_id = $1 AND operator_id IS NOT NULL'],
    ['an entry in the middle that was removed', 'DELETE FROM audit_log WHERE store_id = $1 AND number = 3'],
    [
      'the newest entry that was removed',
      'DELETE FROM audit_log a WHERE store_id = $1 AND number = (SELECT max(number) FROM audit_log WHERE store_id = $1)',
    ],
  ])('is broken by %s', async (_title, sql) => {
    expect(await after(sql)).toBeGreaterThan(0);
    expect((await verified()).violated).toBe(0);
  });

  it('holds where the oldest entries were purged', async () => {
    expect(await after('DELETE FROM audit_log WHERE store_id = $1 AND number <= 2')).toBe(0);
  });
});

describe('while the log cannot be written', () => {
  let broken: OpenApp;
  beforeEach(async () => {
    broken = await openApp({ ROLE: 'api' });
  });
  afterEach(() => broken.close());

  it('nothing is changed', async () => {
    await broken.database.query('ALTER TABLE audit_log RENAME TO elsewhere');
    await broken.admin('post', '/admin/stores').send({ domain: 'never.example' }).expect(500);
    expect((await broken.admin('get', '/admin/stores').expect(200)).body).toMatchObject({ total: 0 });
  });

  it('the outcome of a change that was made is for the log of the server', async () => {
    await broken.database.query('ALTER TABLE audit_log ADD CHECK (answers IS NULL)');
    await broken.admin('post', '/admin/stores').send({ domain: 'made.example' }).expect(201);
    const { body } = await broken.admin('get', '/admin/audit').expect(200);
    expect(body).toMatchObject({ items: [{ route: 'POST /admin/stores', outcome: null }] });
    expect(broken.log.join('\n')).toContain('The outcome of a change was not recorded in the audit log.');
  });
});
