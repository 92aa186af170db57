import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { runCommand, type RanOptions } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { redirect, respond, startReceiver, verified, type Received, type Receiver } from '../support/receiver.ts';
import { allEnded } from '../support/webhooks.ts';

let app: OpenApp;
let receiver: Receiver;
let store: TestStore;
let folder: string;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  app = await openApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  [receiver, store, folder] = [await startReceiver(), await app.aStore(), await mkdtemp(join(tmpdir(), 'tenon-listen-'))];
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (words: readonly string[] = [], options: RanOptions = {}) => {
  const env = { TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN, XDG_STATE_HOME: folder, ...options.env };
  return runCommand(['listen', '--forward-to', receiver.url, '--store', store.domain, ...words], { ...options, env });
};
/** Listens until it is stopped; Ctrl-C stops it. */
const listen = (words: readonly string[] = [], options: RanOptions = {}) => {
  const stopping = new AbortController();
  const ran = run(words, { ...options, interrupted: stopping.signal });
  const stop = () => {
    stopping.abort('SIGINT');
    return ran;
  };
  stops.push(stop);
  return { stop, ran };
};
const record = async (...types: string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const type of types) {
    const sent = app.admin('post', `/admin/stores/${store.id}/events`).send({ type, data: { id: 'o-1' } });
    ids.push(((await sent.expect(202)).body as { eventId: string }).eventId);
  }
  await allEnded(app.database);
  return ids;
};
const idOf = ({ headers }: Received): string => headers['webhook-id'] ?? '';
const arrived = (): string[] => receiver.received.map(idOf);
const nextIds = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(idOf(await receiver.next()));
  return ids;
};
const stateFiles = async (): Promise<string[]> => {
  const names = await readdir(join(folder, 'tenon/listen')).catch(() => []);
  return names.map((name) => join(folder, 'tenon/listen', name));
};
/** The first start has its place. */
const begun = () => eventually(async () => expect((await stateFiles()).filter((name) => name.endsWith('.json'))).toHaveLength(1));
const secretIn = (err: string): string => /Signing secret: (whsec_\S+)/.exec(err)?.[1] ?? '';

/** The keys of a terminal, each as it is pressed. */
const keyboard = () => {
  let pressed: (key: string) => void = () => undefined;
  const keys = async function* () {
    for (;;) yield await new Promise<string>((resolve) => (pressed = resolve));
  };
  return { press: (key: string) => pressed(key), keys };
};

describe('tenon listen', () => {
  it('sends new events in their order, with the bytes and headers of a delivery, and signed with its secret', async () => {
    const path = `/admin/stores/${store.id}/webhooks/subscriptions`;
    const other = await startReceiver();
    stops.push(() => other.close());
    await app
      .admin('post', path)
      .send({ url: other.url, eventTypes: ['order.paid'] })
      .expect(200);
    await record('order.created');
    const { stop } = listen();
    await begun();
    const ids = await record('order.paid', 'order.shipped');
    expect(await nextIds(2)).toEqual(ids);
    const { status, out, err } = await stop();
    expect(status).toBe(130);
    const [first] = receiver.received;
    expect(verified(first!, secretIn(err))).toMatchObject({ id: ids[0], type: 'order.paid' });
    const delivery = other.received.find((received) => idOf(received) === ids[0]);
    expect(first!.body.equals(delivery!.body)).toBe(true);
    expect(Object.keys(first!.headers).sort()).toEqual(Object.keys(delivery!.headers).sort());
    expect(out).toMatch(new RegExp(`^[\\d:]{8}\torder\\.paid +\t${ids[0]!}\t204\t\\d+ ms\n`));
  });

  it("continues where it ended, with the same secret, and its file is its owner's alone", async () => {
    const first = listen(['--from', 'start']);
    const ids = await record('order.paid');
    expect(await nextIds(1)).toEqual(ids);
    const { err } = await first.stop();
    const [file = ''] = await stateFiles();
    expect([(await stateFiles()).length, (await stat(file)).mode & 0o777]).toEqual([1, 0o600]);
    ids.push(...(await record('order.shipped', 'order.refunded')));
    const second = listen();
    expect(await nextIds(2)).toEqual(ids.slice(1));
    expect(secretIn((await second.stop()).err)).toBe(secretIn(err));
    expect(arrived()).toEqual(ids);
  });

  it('an event without 2xx is sent again until it is taken, and the next ones wait', async () => {
    receiver.answer(respond(500), redirect(302, `${receiver.url}/elsewhere`), respond(204));
    const { stop } = listen(['--from', 'start', '--json']);
    const ids = await record('order.paid', 'order.shipped');
    expect(await nextIds(4)).toEqual([ids[0], ids[0], ids[0], ids[1]]);
    const { out, err } = await stop();
    const attempts = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { attempt: number; status: number });
    expect(attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 302],
      [3, 204],
      [1, 204],
    ]);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/', '/', '/']);
    expect(err).toContain('Retrying in 1 s.\nRetrying in 2 s.\n');
  });

  it('Ctrl-C leaves an event that was not taken for the next start', async () => {
    receiver.answer(respond(503));
    const first = listen(['--from', 'start']);
    const [id] = await record('order.paid');
    await receiver.next();
    expect((await first.stop()).err).toContain('Stopped. The next start continues here.');
    receiver.answer(respond(204));
    const second = listen();
    await eventually(() => expect(arrived()).toEqual([id, id]));
    await second.stop();
  });

  it('shows a connection that is refused, and sends the event once the receiver is there', async () => {
    const { port } = receiver;
    await receiver.close();
    let out = '';
    const { stop } = listen(['--from', 'start'], { onOut: (text) => (out += text) });
    const [id] = await record('order.paid');
    await eventually(() => expect(out).toContain('\tconnection refused\t'));
    receiver = await startReceiver({ port });
    expect(await nextIds(1)).toEqual([id]);
    await stop();
  });

  it('r sends the last event again with the same id, q ends', async () => {
    const { press, keys } = keyboard();
    const { ran } = listen(['--from', 'start'], { terminal: true, stdin: keys() });
    const [id] = await record('order.paid');
    expect(await nextIds(1)).toEqual([id]);
    await eventually(async () => expect(await readFile((await stateFiles())[0] ?? '', 'utf8')).not.toContain('"cursor":null'));
    press('r');
    const again = await receiver.next();
    expect([idOf(again), again.headers['webhook-attempt']]).toEqual([id, '2']);
    press('q');
    expect(await ran).toMatchObject({ status: 0, err: expect.stringContaining('Press r to send the last event again') });
  });

  it('Ctrl-C on a terminal is an interruption, as its signal is, though it comes as a key', async () => {
    const { press, keys } = keyboard();
    const { ran } = listen(['--from', 'start'], { terminal: true, stdin: keys() });
    await record('order.paid');
    await nextIds(1);
    press('\u0003');
    expect(await ran).toMatchObject({ status: 130, err: expect.stringContaining('Stopped. The next start continues here.') });
  });

  it('--types and --from choose the events; a time back leaves out what is older', async () => {
    const ids = await record('order.paid', 'order.shipped', 'order.refunded');
    await app.database.query(`UPDATE events SET created_at = created_at - interval '2 hours' WHERE id = $1`, [ids[1]]);
    const types = listen(['--from', 'start', '--types', 'order.shipped,order.refunded']);
    expect(await nextIds(2)).toEqual([ids[1], ids[2]]);
    await types.stop();
    const time = listen(['--from', '1h', '--types', 'order.*', '--cursor-file', join(folder, 'own.json')]);
    expect(await nextIds(2)).toEqual([ids[0], ids[2]]);
    await time.stop();
  });

  it('takes the secret of TENON_SIGNING_SECRET, and does not write it anywhere', async () => {
    const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    const { stop } = listen(['--from', 'start'], { env: { TENON_SIGNING_SECRET: secret } });
    await record('order.paid');
    const request = await receiver.next();
    expect(() => verified(request, secret)).not.toThrow();
    const { out, err } = await stop();
    expect(out + err + (await readFile((await stateFiles())[0] ?? '', 'utf8'))).not.toContain(secret);
  });

  it('exits with 5 and says how to continue when the server does not keep the next events any more', async () => {
    const first = listen(['--from', 'start']);
    await record('order.paid', 'order.paid');
    await nextIds(2);
    await first.stop();
    const [file = ''] = await stateFiles();
    const state = JSON.parse(await readFile(file, 'utf8')) as { cursor: string };
    await record('order.paid');
    await app.database.query(`UPDATE feed SET placed_at = placed_at - interval '31 days' WHERE store_id = $1`, [store.id]);
    while ((await app.container.resolve(TOKENS.ports).eventFeed.purge(30, 100)) > 0);
    expect(await run()).toMatchObject({ status: 5, err: expect.stringContaining('--from start') });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(state);
  });

  it('exits with 2 for a URL that is not one, a password in it, and a secret that is not one', async () => {
    for (const url of ['localhost:3000', 'ftp://a', 'http://me:secret@localhost']) {
      expect((await runCommand(['listen', '--forward-to', url], { env: { TENON_ADMIN_TOKEN: 'x' } })).status).toBe(2);
    }
    expect((await run([], { env: { TENON_SIGNING_SECRET: 'whsec_x' } })).status).toBe(2);
  });

  it('exits with 5 while another process forwards the same events, and with 1 for a damaged file', async () => {
    const own = join(folder, 'own.json');
    await writeFile(`${own}.lock`, String(process.ppid));
    expect(await run(['--cursor-file', own])).toMatchObject({
      status: 5,
      err: expect.stringContaining(`Process ${process.ppid}`),
    });
    await rm(`${own}.lock`);
    await writeFile(own, '{');
    expect(await run(['--cursor-file', own])).toMatchObject({ status: 1, err: expect.stringContaining('Fix it or remove it') });
  });

  it('exits with 5 for a type that does not exist', async () => {
    expect(await run(['--types', 'nonsense'])).toMatchObject({ status: 5, err: expect.stringContaining('nonsense') });
  });
});
