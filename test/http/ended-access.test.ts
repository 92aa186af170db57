import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { OWN_PAGE } from '../support/console-page.ts';
import { openEventStream } from '../support/event-stream.ts';

/** An operator, and the credential that they have: its base path with its headers. */
interface Reader {
  readonly id: string;
  readonly tokenId: string;
  readonly base: '/admin' | '/console/api';
  readonly headers: Readonly<Record<string, string>>;
}

/** A request that is long: what it sends or gets while `meanwhile` happens, and how it ended. */
type Long = (reader: Reader, meanwhile: () => Promise<unknown>) => Promise<unknown>;

let app: OpenApp;
let store: TestStore;
let names = 0;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api' });
});
afterAll(() => app.close());
beforeEach(async () => {
  store = await app.aStore();
});

const patch = (id: string, changes: object) => app.admin('patch', `/admin/operators/${id}`).send(changes).expect(200);
const aReader = async (role: string, by: string): Promise<Reader> => {
  names += 1;
  const { body } = await app
    .admin('post', '/admin/operators')
    .send({ name: `one ${String(names)}`, role })
    .expect(201);
  const { id } = body as { id: string };
  const issued = await app.admin('post', `/admin/operators/${id}/tokens`).send({ name: 'ci' }).expect(201);
  const { token, ...rest } = issued.body as { id: string; token: string };
  if (by === 'a token') return { id, tokenId: rest.id, base: '/admin', headers: { Authorization: `Bearer ${token}` } };
  const signedIn = await request(app.adminUrl).post('/console/session').set(OWN_PAGE).send({ token }).expect(200);
  const Cookie = (signedIn.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  return { id, tokenId: rest.id, base: '/console/api', headers: { ...OWN_PAGE, Cookie } };
};

const sessionOf = async ({ id }: Reader): Promise<string> => {
  const { body } = await app.admin('get', '/admin/sessions').expect(200);
  const { items } = body as { items: { id: string; operator: { id: string } | null }[] };
  return items.find(({ operator }) => operator?.id === id)?.id ?? '';
};

/** The ways in which the right of a reader ends, by their credentials and the role that they had. */
type Way = readonly [name: string, by: string, end: (reader: Reader) => PromiseLike<unknown>];
const EACH: readonly Way[] = ['a token', 'a session'].flatMap((by): Way[] => [
  ['the end of the operator', by, ({ id }) => app.admin('delete', `/admin/operators/${id}`).expect(200)],
]);
const OF_CREDENTIALS: readonly Way[] = [
  ['a revocation', 'a token', ({ id, tokenId }) => app.admin('delete', `/admin/operators/${id}/tokens/${tokenId}`).expect(204)],
  [
    'an expiry',
    'a token',
    ({ tokenId }) =>
      app.database.query("UPDATE operator_tokens SET expires_at = now() - interval '1 second' WHERE id = $1", [tokenId]),
  ],
  ['a sign-out', 'a session', ({ headers }) => request(app.adminUrl).delete('/console/session').set(headers).expect(204)],
  [
    'the end of the session by an owner',
    'a session',
    async (reader) => app.admin('delete', `/admin/sessions/${await sessionOf(reader)}`).expect(204),
  ],
];
const demotedTo = (role: string): Way[] =>
  ['a token', 'a session'].map((by): Way => ['a demotion', by, ({ id }) => patch(id, { role })]);
const LOST: readonly Way[] = ['a token', 'a session'].map((by): Way => [
  'the loss of the store',
  by,
  async ({ id }) => patch(id, { storeIds: [(await app.aStore()).id] }),
]);
const ERASED: Way = [
  'the erasure of the store',
  'a token',
  () => {
    large = null;
    return app.admin('delete', `/admin/stores/${store.id}?confirm=${store.domain}`).expect(202);
  },
];

const open = async ({ base, headers }: Reader, path: string, method = 'GET') => {
  const url = `${app.adminUrl}${base}${path}`;
  return send(url, { method, agent: false, headers: { ...headers, 'Content-Type': 'application/x-ndjson' } });
};
const textOf = async (response: IncomingMessage): Promise<{ text: string; isCut: boolean }> => {
  let text = '';
  try {
    for await (const chunk of response) text += String(chunk);
  } catch {
    return { text, isCut: true };
  }
  return { text, isCut: !response.complete };
};

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, n) => `{"name":"Saw ${String(from + n)}","slug":"saw-${String(from + n)}"}\n`).join('');
const imported = async (): Promise<number> => {
  const [row] = await app.database.query<{ n: number }>('SELECT count(*)::int AS n FROM products WHERE store_id = $1', [
    store.id,
  ]);
  return row?.n ?? 0;
};

const anImport: Long = async (reader, meanwhile) => {
  const sent = await open(reader, `/stores/${store.id}/products/import?fileName=saws.ndjson`, 'POST');
  const answered = once(sent, 'response');
  sent.write(lines(0, 260));
  await vi.waitFor(async () => expect(await imported()).toBe(250), { timeout: 60_000 });
  await meanwhile();
  sent.end(lines(260, 900));
  const [response] = (await answered) as [IncomingMessage];
  const { text } = await textOf(response);
  const { ended, created, nextLine, errors } = JSON.parse(text) as Record<string, unknown> & { errors: { message: string }[] };
  return { status: response.statusCode, ended, created, nextLine, why: errors[0]?.message, stored: await imported() };
};
const STOPPED = {
  ...{ status: 200, ended: 'stopped', created: 250, nextLine: 251, stored: 250 },
  why: expect.stringMatching(/^Your access to the store ended\. What comes before line 251 is done/) as string,
};

/** More than the buffers between the server and a reader that takes nothing hold. */
const LARGE = "repeat('x', 60000)";
const anExport =
  (path: () => string): Long =>
  async (reader, meanwhile) => {
    const sent = (await open(reader, path())).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.setEncoding('utf8').pause();
    await meanwhile();
    const { text, isCut } = await textOf(response);
    const shown = text.replaceAll(/x{2,}/g, 'x').trimEnd().split('\n');
    return { status: response.statusCode, isCut, isWhole: shown.length > 400, last: shown.at(-1) };
  };
/** All exports share this store, until it is erased. */
let large: TestStore | null = null;
const aLargeStore = async (): Promise<TestStore> => {
  const documents = lines(0, 400).trim().split('\n');
  await app.importProducts(
    store,
    documents.map((line) => JSON.parse(line) as object),
  );
  await app.database.query(`UPDATE products SET description = ${LARGE} WHERE store_id = $1`, [store.id]);
  return store;
};
const productExport = (query: string): Long => {
  const read = anExport(() => `/stores/${store.id}/products/export${query}`);
  return async (reader, meanwhile) => {
    large ??= await aLargeStore();
    store = large;
    return read(reader, meanwhile);
  };
};
const auditExport: Long = async (reader, meanwhile) => {
  await app.database.query(`
    INSERT INTO audit_log (store_id, number, id, at, content, hash)
    SELECT store_id, number + n, gen_random_uuid(), at, jsonb_set(content::jsonb, '{body}', to_jsonb(${LARGE}))::text, hash
    FROM (SELECT * FROM audit_log WHERE answers IS NULL ORDER BY number DESC LIMIT 1) newest, generate_series(1000, 1600) n
    ON CONFLICT DO NOTHING`);
  return anExport(() => '/audit/export')(reader, meanwhile);
};
const CUT = { status: 200, isCut: true, isWhole: false };
const INCOMPLETE = { ...CUT, last: expect.stringMatching(/^\{"incomplete":"Your access has ended/) as string };
const WITHOUT_END = { ...CUT, last: expect.not.stringMatching(/^\{"more"/) as string };

const longPoll: Long = async (reader, meanwhile) => {
  const { feedSignal } = app.container.resolve(TOKENS.ports);
  const watch = vi.spyOn(feedSignal, 'watch');
  const sent = (await open(reader, `/stores/${store.id}/events?wait=25`)).end();
  const answered = once(sent, 'response');
  await vi.waitUntil(() => watch.mock.settledResults.some(({ type }) => type === 'fulfilled'), { timeout: 30_000 });
  watch.mockRestore();
  await meanwhile();
  await app.importProducts(store, [{ name: 'Saw' }]);
  const { deliveries } = app.container.resolve(TOKENS.ports);
  await deliveries.fanOut(store.id, 1_000);
  const [response] = (await answered) as [IncomingMessage];
  const { text } = await textOf(response);
  return { status: response.statusCode, isTold: text.includes('product.') };
};

const live: Long = async (reader, meanwhile) => {
  const stream = await openEventStream(`${app.adminUrl}${reader.base}/stores/${store.id}/live`, reader.headers);
  await meanwhile();
  await app.container.resolve(TOKENS.liveReaders).judge();
  return { status: stream.status, ended: await stream.ended };
};

type Case = readonly [long: string, role: string, run: Long, ways: readonly Way[], outcome: object];
const LONG: readonly Case[] = [
  ['an import', 'operator', anImport, [...EACH, ...OF_CREDENTIALS, ...demotedTo('viewer'), ...LOST, ERASED], STOPPED],
  ['an export of documents', 'viewer', productExport(''), [...EACH, ...OF_CREDENTIALS, ...LOST, ERASED], INCOMPLETE],
  ['an export for apps', 'viewer', productExport('?format=app'), [...EACH, ...OF_CREDENTIALS, ...LOST, ERASED], WITHOUT_END],
  ['an export of the audit log', 'owner', auditExport, [...EACH, ...OF_CREDENTIALS, ...demotedTo('operator')], INCOMPLETE],
  ['a long poll', 'viewer', longPoll, [...EACH, ...OF_CREDENTIALS], { status: 401, isTold: false }],
  ['a long poll', 'viewer', longPoll, LOST, { status: 404, isTold: false }],
  ['a live stream', 'viewer', live, [...EACH, ...OF_CREDENTIALS, ...LOST, ERASED], { status: 200, ended: 'ended' }],
];
const TABLE = LONG.flatMap(([long, role, run, ways, outcome]) =>
  ways.map(([way, by, end]) => [long, by, way, { role, run, end, outcome }] as const),
);

it.each(TABLE)('%s by %s ends with %s', async (_long, by, _way, { role, run, end, outcome }) => {
  const reader = await aReader(role, by);
  expect(await run(reader, async () => end(reader))).toMatchObject(outcome);
});

it('each continues to its end where nothing ends', async () => {
  const nothing = () => Promise.resolve();
  expect(await anImport(await aReader('operator', 'a session'), nothing)).toMatchObject({ ended: 'complete', stored: 900 });
  for (const query of ['', '?format=app']) {
    const whole = await productExport(query)(await aReader('viewer', 'a session'), nothing);
    expect(whole).toMatchObject({ isCut: false, last: expect.not.stringContaining('incomplete') as string });
    expect(query === '' || whole).toMatchObject(query === '' ? {} : { last: '{"more":false}' });
  }
  expect(await auditExport(await aReader('owner', 'a token'), nothing)).toMatchObject({ isCut: false, isWhole: true });
});
