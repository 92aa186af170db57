import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import request from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createLiveChannel } from '../memory/live-channel.ts';
import { domainSubject, type LiveRefusal } from '../../src/domain/ports/webhooks/live-channel.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { createLiveReaders } from '../../src/adapters/http/live/live-readers.ts';
import { MAX_LIVE_READERS, MAX_OPERATOR_STREAMS, OWNER_STREAMS } from '../../src/adapters/http/live/live-shares.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { OWN_PAGE } from '../support/console-page.ts';
import { openEventStream } from '../support/event-stream.ts';

const SHOP = { id: 'shop', domain: 'shop.test' };
const OWNER = { operatorId: null, session: null };
const find = () => Promise.resolve(SHOP);
const REFUSAL: Omit<LiveRefusal, 'requestId'> = {
  kind: 'refusal',
  route: 'GET /apps/catalog/products',
  status: 401,
  code: null,
  reason: 'unknown_token',
  check: 'token',
  installationId: null,
  durationMs: 1,
  at: '2026-11-28T00:00:00.000Z',
};

let app: OpenApp;
let store: TestStore;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api' });
  store = await app.aStore();
});
afterAll(() => app.close());

const signIn = async (token = ADMIN_TOKEN): Promise<Record<string, string>> => {
  const answer = await request(app.adminUrl).post('/console/session').set(OWN_PAGE).send({ token }).expect(200);
  return { ...OWN_PAGE, Cookie: (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '' };
};
const read = (headers: Readonly<Record<string, string>>) =>
  openEventStream(`${app.adminUrl}/console/api/stores/${store.id}/live`, headers);

it('the streams of a session end at once when it signs out, and those of another session do not', async () => {
  const [mine, other] = [await signIn(), await signIn()];
  const streams = [await read(mine), await read(mine), await read(other)];
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  await request(app.adminUrl).delete('/console/session').set(mine).expect(204);
  expect(await Promise.all(streams.slice(0, 2).map(({ ended }) => ended))).toEqual(['ended', 'ended']);
  const again = await read(mine);
  expect(again.status).toBe(401);
  app.importProducts(store, [{ name: 'Saw' }]).catch(() => undefined);
  await expect.poll(() => streams[2]?.frames.length).toBeGreaterThan(0);
  streams[2]?.close();
});

const anOperator = async (): Promise<string> => {
  const given = { name: randomUUID(), role: 'viewer' };
  const { body: operator } = await app.admin('post', '/admin/operators').send(given).expect(201);
  const { body: issued } = await app.admin('post', `/admin/operators/${operator.id}/tokens`).send({ name: 'ci' }).expect(201);
  return issued.token;
};

it('an operator has one share of the streams, however often they have signed in', async () => {
  const [token, other] = [await anOperator(), await anOperator()];
  const sessions = [await signIn(token), await signIn(token), await signIn(token)];
  const share = Array.from({ length: MAX_OPERATOR_STREAMS }, (_, at) => read(sessions[at % 2] ?? {}));
  const streams = await Promise.all(share);
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  const path = `/admin/stores/${store.id}/live`;
  const byToken = { Authorization: `Bearer ${token}` };
  const refused = [await read(sessions[2] ?? {}), await openEventStream(`${app.adminUrl}${path}`, byToken)];
  expect(refused.map(({ status }) => status)).toEqual([503, 503]);
  const { body } = await request(app.adminUrl).get(path).set(byToken).expect(503);
  expect(body.detail).toContain('You have 20 readers of live streams');
  const others = [await read(await signIn(other)), await read(await signIn())];
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  for (const stream of [...streams, ...others]) stream.close();
});

it('operators leave streams to the holder of the admin token', async () => {
  const live = createLiveReaders({ channel: createLiveChannel().node(), find });
  const open = (operatorId: string | null) => live.open(SHOP, { ...OWNER, operatorId });
  const readers = Array.from({ length: MAX_LIVE_READERS - OWNER_STREAMS }, (_, at) =>
    open(String(Math.floor(at / MAX_OPERATOR_STREAMS))),
  );
  expect(open('another')).toBe('operators');
  expect([...new Set(Array.from({ length: OWNER_STREAMS + 1 }, () => typeof open(null)))]).toEqual(['object', 'string']);
  expect([open(null), open('0'), live.count()]).toEqual(['node', 'node', MAX_LIVE_READERS]);
  const [first] = readers;
  if (typeof first !== 'object') throw new Error('the first reader was refused');
  first.destroy();
  await once(first, 'close');
  expect([typeof open('another'), open(null)]).toEqual(['object', 'node']);
  live.close();
});

it('a stream whose reader is behind when its session ends takes nothing more, and ends in order', async () => {
  const live = createLiveReaders({ channel: createLiveChannel().node(), find, heartbeatMs: 5 });
  const stream = live.open(SHOP, { operatorId: 'a', session: { id: 'a-session', isValid: () => Promise.resolve(true) } });
  const other = live.open(SHOP, OWNER);
  if (typeof stream === 'string' || typeof other === 'string') throw new Error('there is room for both');
  live.endSession('a-session');
  // Heartbeats that come before the reader has read to the end.
  const beats: string[] = [];
  other.on('data', (bytes: Buffer) => beats.push(bytes.toString()));
  await expect.poll(() => beats.join('').match(/heartbeat/g)?.length ?? 0).toBeGreaterThan(1);
  const ended = once(stream, 'end');
  expect(String(stream.read())).not.toContain('heartbeat');
  stream.resume();
  await ended;
  live.close();
});

it('a stream ends at the heartbeat after its session has, and one without a session continues', async () => {
  const live = createLiveReaders({ channel: createLiveChannel().node(), find, heartbeatMs: 5 });
  let isValid: () => Promise<boolean> = () => Promise.resolve(true);
  let asked = 0;
  const session = {
    id: 'a-session',
    isValid: () => {
      asked += 1;
      return isValid();
    },
  };
  const [stream, free] = [live.open(SHOP, { operatorId: 'a', session }), live.open(SHOP, OWNER)];
  if (typeof stream === 'string' || typeof free === 'string') throw new Error('there is room for both');
  const ended = once(stream.resume(), 'end');
  // The database is away: nobody can tell.
  await expect.poll(() => asked).toBeGreaterThan(0);
  isValid = () => Promise.reject(new Error('away'));
  const before = asked;
  await expect.poll(() => asked).toBeGreaterThan(before + 1);
  expect(stream.readableEnded).toBe(false);
  isValid = () => Promise.resolve(false);
  await ended;
  expect(free.resume().readableEnded).toBe(false);
  live.close();
});

it('each stream of a session is judged by itself: it ends where the access to its own store has', async () => {
  const live = createLiveReaders({ channel: createLiveChannel().node(), find });
  const mayRead = new Set(['one', 'other']);
  const open = (store: string) => {
    const session = { id: 'a-session', isValid: () => Promise.resolve(mayRead.has(store)) };
    const stream = live.open({ id: store, domain: SHOP.domain }, { operatorId: 'a', session });
    if (typeof stream === 'string') throw new Error('there is room');
    return stream.resume();
  };
  const [one, other] = [open('one'), open('other')];
  mayRead.delete('other');
  await live.judge();
  await expect.poll(() => other.readableEnded).toBe(true);
  expect(one.readableEnded).toBe(false);
  live.close();
});

it('a stream follows its store to another domain, and shows nothing of the store that has the old one', async () => {
  const [shop, other] = [await app.aStore(), await app.aStore()];
  const bearer = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const stream = await openEventStream(`${app.adminUrl}/admin/stores/${shop.id}/live`, bearer);
  const moved = { domain: `moved-${shop.domain}` };
  // The change comes from another node, whose streams are not those of this one.
  await app.container.resolve(TOKENS.ports).stores.update(shop.id, moved);
  await app.container.resolve(TOKENS.ports).stores.update(other.id, { domain: shop.domain });
  const refusedAt = (domain: string) => app.api(domain, 'no-such-token')('get', '/apps/catalog/products').expect(401);
  await refusedAt(shop.domain);
  await app.container.resolve(TOKENS.liveReaders).judge();
  const { headers } = await refusedAt(moved.domain);
  await expect.poll(() => stream.frames.length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(stream.frames.map(({ data }) => data['requestId'])).toEqual([headers['x-request-id']]);
  stream.close();
});

it('the items of a domain wait for the store that has it, and are counted as dropped while nobody can tell', async () => {
  const channel = createLiveChannel().node();
  let judged: () => Promise<{ id: string; domain: string } | null> = () => Promise.reject(new Error('away'));
  const live = createLiveReaders({ channel, find: () => judged(), heartbeatMs: 60_000 });
  const stream = live.open(SHOP, OWNER);
  if (typeof stream === 'string') throw new Error('there is room');
  let text = '';
  stream.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  const refusal = { ...REFUSAL, requestId: 'theirs' };
  channel.publish(domainSubject(SHOP.domain), [refusal, refusal]);
  await expect.poll(() => text).toContain('"kind":"dropped","count":2');
  judged = () => Promise.resolve({ ...SHOP, domain: 'moved.test' });
  channel.publish(domainSubject(SHOP.domain), [refusal]);
  await expect.poll(() => channel.isWatched(domainSubject('moved.test'))).toBe(true);
  expect(channel.isWatched(domainSubject(SHOP.domain))).toBe(false);
  channel.publish(domainSubject('moved.test'), [{ ...REFUSAL, requestId: 'ours' }]);
  await expect.poll(() => text).toContain('ours');
  expect(text).not.toContain('theirs');
  const ended = once(stream, 'end');
  judged = () => Promise.resolve(null);
  await live.judge();
  await ended;
  live.close();
});
