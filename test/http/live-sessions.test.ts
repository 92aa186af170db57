import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import request from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createLiveChannel } from '../memory/live-channel.ts';
import { createLiveReaders } from '../../src/adapters/http/live/live-readers.ts';
import { MAX_LIVE_READERS, MAX_OPERATOR_STREAMS, OWNER_STREAMS } from '../../src/adapters/http/live/live-shares.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
const SHOP = { id: 'shop', domain: 'shop.test' };
const OWNER = { operatorId: null, session: null };

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
  const refused = [
    await request(app.adminUrl)
      .get(`/console/api/stores/${store.id}/live`)
      .set(sessions[2] ?? {}),
    await request(app.adminUrl).get(`/admin/stores/${store.id}/live`).set('Authorization', `Bearer ${token}`),
  ];
  for (const { status, body } of refused) {
    expect([status, body.detail]).toEqual([503, expect.stringContaining('You have 20 readers of live streams')]);
  }
  const others = [await read(await signIn(other)), await read(await signIn())];
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  for (const stream of [...streams, ...others]) stream.close();
});

it('operators leave streams to the holder of the admin token', async () => {
  const live = createLiveReaders(createLiveChannel().node());
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
  const live = createLiveReaders(createLiveChannel().node(), { heartbeatMs: 5 });
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
  const live = createLiveReaders(createLiveChannel().node(), { heartbeatMs: 5 });
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
