import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Verification } from '../../src/application/insight/verify.ts';
import { INVARIANT_NAMES } from '../../src/domain/insight/invariants.ts';
import { openApp } from '../support/app.ts';
import type { OpenApp } from '../support/app.ts';

describe('GET /admin/verify', () => {
  let server: OpenApp;
  beforeAll(async () => {
    server = await openApp();
  });
  afterAll(() => server.close());
  const verify = async (): Promise<Verification> => (await server.admin('get', '/admin/verify').expect(200)).body as Verification;

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
});
