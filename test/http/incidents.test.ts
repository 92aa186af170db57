import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sweepIncidents } from '../../src/application/insight/sweep-incidents.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import type { Incident } from '../../src/adapters/http/answers.ts';
import { NO_STORE } from '../../src/domain/ports/locator.ts';
import { isoTime } from '../../src/domain/time.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { respond, startReceiver, type Receiver } from '../support/receiver.ts';

describe('incidents', () => {
  let server: OpenApp;
  let receiver: Receiver;
  let app: TestApp;
  let sweep: () => Promise<void>;
  beforeAll(async () => {
    server = await openApp({ WEBHOOK_RETRY_SECONDS: '0,0,0', WEBHOOK_RETRY_JITTER: '0' });
    receiver = await startReceiver();
    app = await server.anApp(await server.aStore('incidents.test'));
    const { container } = server;
    sweep = sweepIncidents(container.resolve(TOKENS.ports), container.resolve(TOKENS.observations));
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });
  interface Page {
    readonly items: readonly Incident[];
    readonly next: string | null;
  }
  const get = async (path: string): Promise<Page> => (await server.admin('get', path).expect(200)).body as Page;
  const of = (query = '', storeId = app.store.id) => get(`/admin/stores/${storeId}/incidents${query}`);
  const run = (...args: string[]) =>
    runCommand(args, { env: { TENON_ADMIN_URL: server.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN, NO_COLOR: '1' } });

  it('a receiver that fails is one until an attempt succeeds, in its store alone', async () => {
    expect(await of()).toEqual({ items: [], next: null });
    expect(await run('incidents')).toMatchObject({ status: 0, out: '', err: 'No incident is open.\n' });
    receiver.answer(respond(500));
    const path = `/admin/stores/${app.store.id}`;
    const wanted = { url: `${receiver.url}/hooks?key=hidden`, eventTypes: ['order.paid'] };
    const { id } = (await server.admin('post', `${path}/webhooks/subscriptions`).send(wanted).expect(200)).body as { id: string };
    for (let sent = 0; sent < 4; sent += 1) {
      await server.admin('post', `${path}/events`).send({ type: 'order.paid', data: {} }).expect(202);
    }
    await eventually(async () => {
      const [row] = await server.database.query<{ failures: number }>('SELECT failures FROM subscriptions WHERE id = $1', [id]);
      expect(row?.failures).toBeGreaterThanOrEqual(10);
    });
    await sweep();
    const { items } = await of('?status=open');
    const { host, pathname } = new URL(wanted.url);
    expect(items).toMatchObject([
      {
        storeId: app.store.id,
        store: 'incidents.test',
        kind: 'receiver_failing',
        title: 'Receiver fails',
        name: `${host}${pathname}`,
        subscriptionId: id,
        installationId: null,
        endedAt: null,
        impact: { of: 'deliveries' },
      },
    ]);
    expect(items[0]?.cause).toMatch(/^The last 1\d attempts failed\./);
    expect(await of('', (await server.aStore()).id)).toEqual({ items: [], next: null });
    const listed = await run('incidents');
    expect(listed.out).toMatch(new RegExp(`^Receiver fails\t${host}${pathname}\t.*\tincidents.test\t`));
    expect((await run('incidents', '--store', 'incidents.test')).out).toBe(listed.out);

    await server.admin('delete', `${path}/webhooks/subscriptions/${id}`).expect(204);
    await sweep();
    expect((await of('?status=open')).items).toEqual([]);
    expect((await of('?status=ended')).items).toMatchObject([{ kind: 'receiver_failing', subscriptionId: id }]);
    expect((await run('incidents', '--store', 'incidents.test')).err).toBe('No incident is open in incidents.test.\n');
    expect((await run('incidents', '--all')).out).toContain('Receiver fails\t');
  });

  it('the list of all has those of the whole server, a page at a time', async () => {
    const since = isoTime(Date.now() + 1_000);
    const lost = ['k1', 'k2'].map((kid) => {
      const of = { storeId: NO_STORE, kind: 'keys_unopened', subject: kid, name: `Key ${kid}` } as const;
      return { ...of, id: randomUUID(), since, impact: 1, cause: 'No key opens it.' };
    });
    await server.container.resolve(TOKENS.ports).incidents.begin(lost);
    const first = await get('/admin/incidents?take=1');
    const second = await get(`/admin/incidents?take=1&after=${first.next ?? ''}`);
    const ids = [first, second].flatMap(({ items }) => items.map(({ id }) => id));
    expect(ids.sort()).toEqual(lost.map(({ id }) => id).sort());
    expect(first.items).toMatchObject([{ storeId: null, store: null, impact: { count: 1, of: 'keys' } }]);
    expect((await of()).items.map(({ id }) => id)).not.toContain(lost[0]?.id);
  });
});
