import { beforeEach, describe, expect, it } from 'vitest';

import { auditChange, type AuditedChange } from '../../../src/application/insight/audit-change.ts';
import { auditLookups, type Audited } from '../../../src/application/insight/audit-lookups.ts';
import type { AuditAnswer, AuditAsked } from '../../../src/domain/insight/audit.ts';
import type { AuditFilter } from '../../../src/domain/ports/insight/audit-log.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { allOf } from '../../support/all-of.ts';

const ALL = { after: null, take: 100 };
const ASKED: AuditAsked = {
  operator: 'Ada',
  way: 'console',
  address: '192.0.2.1',
  what: 'Change a store',
  route: 'PATCH /admin/stores/:storeId',
  path: '/admin/stores/1',
  requestId: 'r',
  body: { name: 'New' },
  before: { name: 'Old' },
};
const ANSWER: AuditAnswer = { status: 200, code: null, created: null, after: { name: 'New' } };

let world: MemoryWorld;
let storeId: string;
beforeEach(async () => {
  world = openMemoryPorts();
  storeId = world.ids.next();
  await world.stores.create({ id: storeId, domain: 'a.test', name: 'A', currency: 'EUR' });
});

const change = (more: Partial<AuditedChange> = {}) =>
  auditChange(world)({ operatorId: 'ada', place: null, asked: ASKED, ...more });
const list = async (filter: AuditFilter = {}): Promise<readonly Audited[]> =>
  (await auditLookups(world).listAudit(filter, ALL)).items;

describe('a change', () => {
  it('is recorded before it is done, and its outcome afterwards', async () => {
    const place = { by: 'store', id: storeId } as const;
    const askedAt = isoTime(world.clock.now());
    const recordOutcome = await change({ place });
    const asked = { ...ASKED, storeId, operatorId: 'ada', number: 1, at: askedAt, refusal: null };
    expect(await list()).toEqual([
      { ...asked, id: expect.any(String) as string, hash: expect.any(String) as string, outcome: null },
    ]);
    world.clock.advance(1_000);
    await recordOutcome(ANSWER);
    expect(await list()).toMatchObject([{ ...asked, outcome: { ...ANSWER, at: isoTime(world.clock.now()) } }]);
  });
  it('of something in a store is one of this store', async () => {
    const id = world.ids.next();
    const secrets = { clientSecret: { id: world.ids.next(), hash: 'h' }, signingSecret: { id: world.ids.next(), sealed: 's' } };
    await world.installations.create({ id, storeId, name: 'App', clientId: id, scopes: [], ...secrets });
    await change({ place: { by: 'installation', id } });
    expect(await list()).toMatchObject([{ storeId }]);
  });
  it('of nothing in one store, or of what is not there, is of no store', async () => {
    await change();
    await change({ place: { by: 'installation', id: storeId } });
    expect((await list()).map((entry) => entry.storeId)).toEqual([null, null]);
  });
  it('by the holder of the admin token has no operator', async () => {
    await change({ operatorId: null });
    expect(await list()).toMatchObject([{ operatorId: null }]);
  });
});

describe('the changes', () => {
  it('are those that match the filter, newest first', async () => {
    for (const operatorId of ['ada', 'grace', 'ada']) await change({ operatorId });
    expect((await list({ operatorId: 'ada' })).map(({ number }) => number)).toEqual([3, 1]);
  });
  it('come page by page, and the last page has no next', async () => {
    for (let n = 0; n < 3; n += 1) await change();
    const first = await auditLookups(world).listAudit({}, { after: null, take: 2 });
    expect(first.items.map(({ number }) => number)).toEqual([3, 2]);
    const last = await auditLookups(world).listAudit({}, { after: first.next, take: 2 });
    expect([last.items.map(({ number }) => number), last.next]).toEqual([[1], null]);
  });
  it('are all exported, each once, also where they fill more than a page', async () => {
    for (let n = 0; n < 251; n += 1) await change({ operatorId: n === 0 ? 'grace' : 'ada' });
    const exported = async (filter: AuditFilter): Promise<number[]> =>
      (await allOf(auditLookups(world).exportAudit(filter))).map(({ number }) => number);
    expect(await exported({})).toEqual(Array.from({ length: 251 }, (_, n) => 251 - n));
    expect(await exported({ operatorId: 'grace' })).toEqual([1]);
    expect(await exported({ operatorId: 'lin' })).toEqual([]);
  });
});
