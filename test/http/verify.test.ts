import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Verification, RepairedPage } from '../../src/application/insight/verify.ts';
import { INVARIANT_NAMES } from '../../src/domain/insight/invariants.ts';
import { openApp, type OpenApp } from '../support/app.ts';
import { awaitLockWaits } from '../support/lock-waits.ts';

describe('GET /admin/verify', () => {
  let server: OpenApp;
  beforeAll(async () => {
    server = await openApp();
  });
  afterAll(() => server.close());
  const verify = async (query = ''): Promise<Verification> =>
    (await server.admin('get', `/admin/verify${query}`).expect(200)).body as Verification;

  it('finds nothing wrong while events are written, and then what was planted', async () => {
    const { id } = await server.aStore();
    const write = () => server.admin('post', `/admin/stores/${id}/events`).send({ type: 'order.paid', data: {} }).expect(202);
    const [during] = await Promise.all([verify(), ...Array.from({ length: 20 }, write)]);
    expect(during).toMatchObject({ ok: true });
    expect(during.invariants.map(({ name }) => name)).toEqual(INVARIANT_NAMES);
    await server.database.query(
      `INSERT INTO events (id, store_id, type, body) VALUES ('019a0000-0000-7000-8000-00000000dead', $1, 'order.paid', '{}')`,
      [id],
    );
    const after = await verify();
    expect(after.ok).toBe(false);
    expect(after.invariants.find(({ name }) => name === 'events_placed')).toMatchObject({
      isComplete: true,
      counted: 21,
      violated: 1,
      isSample: false,
      examples: ['019a0000-0000-7000-8000-00000000dead'],
    });
  });

  it('has more time for a check that is named, and makes it alone', async () => {
    const holder = await server.database.pool.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE');
      const alone = verify('?invariant=audit_chained');
      await awaitLockWaits(server.database);
      const { invariants } = await verify();
      expect(invariants.flatMap(({ name, isComplete }) => (isComplete ? [] : [name]))).toEqual(['audit_chained']);
      await holder.query('ROLLBACK');
      expect((await alone).invariants).toMatchObject([{ name: 'audit_chained', isComplete: true, violated: 0 }]);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });
});

describe('POST /admin/verify/repairs', () => {
  let server: OpenApp;
  beforeAll(async () => {
    server = await openApp();
  });
  afterAll(() => server.close());
  const repair = async (body: object): Promise<RepairedPage> =>
    (await server.admin('post', '/admin/verify/repairs').send(body).expect(200)).body as RepairedPage;

  it('gives a place to each of many events that an old fan-out left without one, a page at a time, and wakes who waits', async () => {
    const { id } = await server.aStore();
    const { body: begin } = await server.admin('get', `/admin/stores/${id}/events`).expect(200);
    await server.database.query(
      `INSERT INTO events (id, store_id, type, body, created_at)
       SELECT gen_random_uuid(), $1, 'order.paid', '{"n":' || n || '}', now() + n * interval '1 microsecond' FROM generate_series(1, 2500) n`,
      [id],
    );
    const { next } = begin as { next: string };
    const waiting = server.admin('get', `/admin/stores/${id}/events?wait=20&after=${next}`).expect(200);
    let [repaired, pages, after] = [0, 0, null as string | null];
    do {
      const page = await repair({ invariant: 'events_placed', after });
      repaired += page.repaired;
      pages += 1;
      after = page.next;
    } while (after !== null);
    expect([repaired, pages]).toEqual([2500, 2]);
    expect(((await waiting).body as { items: unknown[] }).items.length).toBeGreaterThan(0);
    const { body } = await server.admin('get', '/admin/verify').expect(200);
    expect((body as Verification).invariants.filter(({ violated }) => violated !== 0)).toEqual([]);
  });
  it('refuses an unknown place of a page, and an invariant that it cannot repair', async () => {
    const refused = await server
      .admin('post', '/admin/verify/repairs')
      .send({ invariant: 'pending_queued', after: 'x' })
      .expect(400);
    expect(refused.body).toMatchObject({ detail: 'after must be the value of `next` of an earlier page' });
    await server.admin('post', '/admin/verify/repairs').send({ invariant: 'queue_pending' }).expect(400);
  });
});
