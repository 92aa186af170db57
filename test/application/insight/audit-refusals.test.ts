import { beforeEach, describe, expect, it } from 'vitest';

import { auditLookups, type Audited } from '../../../src/application/insight/audit-lookups.ts';
import {
  gatherAuditRefusals,
  type AuditRefusalGatherer,
  type AuditRefused,
} from '../../../src/application/insight/gather-audit-refusals.ts';
import type { AuditFilter } from '../../../src/domain/ports/insight/audit-log.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const HOUR_MS = 3_600_000;
/** 50 of their own, and one each for the 10th, 100th, 1,000th and 10,000th. */
const MOST_OF_10_000 = 54;

let world: MemoryWorld;
let node: AuditRefusalGatherer;
let lost: unknown[];
const aNode = (ports = world): AuditRefusalGatherer => gatherAuditRefusals(ports, (error) => void lost.push(error));
beforeEach(() => {
  world = openMemoryPorts();
  lost = [];
  node = aNode();
});

const asked = {
  operator: 'Unknown',
  way: 'console',
  address: '192.0.2.1',
  what: 'Sign in with a token',
  route: 'POST /console/session',
  path: '/console/session',
  requestId: 'r',
  body: null,
} as const;
const refused = (more: Partial<AuditRefused> = {}): AuditRefused => ({
  kind: 'Sign in with a token',
  sender: '192.0.2.1',
  operatorId: null,
  place: null,
  reason: 'wrong_sign_in',
  asked,
  answer: { status: 401, code: 'unauthenticated' },
  ...more,
});
const from = (sender: number): AuditRefused => refused({ sender: String(sender) });
const byOperator = (operatorId: string): AuditRefused =>
  refused({ kind: operatorId, operatorId, sender: null, reason: 'role_too_low' });
const add = (times: number, one: (n: number) => AuditRefused, on = node): void => {
  for (let n = 0; n < times; n += 1) on.add(one(n));
};
const list = async (filter: AuditFilter = { isRefused: true }): Promise<readonly Audited[]> =>
  (await auditLookups(world).listAudit(filter, { after: null, take: 1_000 })).items;
const counts = async (): Promise<number[]> => (await list()).map(({ refusal }) => refusal?.count ?? 0).reverse();
const ones = (times: number): number[] => Array.from({ length: times }, () => 1);

describe('a refusal', () => {
  it('is recorded by the next flush, with why and with its outcome', async () => {
    node.add(refused());
    expect(await list({})).toEqual([]);
    await node.flush();
    await node.flush();
    expect(await list({})).toMatchObject([
      {
        ...asked,
        storeId: null,
        operatorId: null,
        before: null,
        refusal: { reason: 'wrong_sign_in', count: 1 },
        outcome: { status: 401, code: 'unauthenticated', created: null, after: null },
      },
    ]);
  });
  it('is found among the refused ones, and what was not refused is not', async () => {
    const content = JSON.stringify({ ...asked, body: { refusal: { reason: 'wrong_sign_in' } }, before: null });
    await world.auditLog.append({
      id: world.ids.next(),
      storeId: world.ids.next(),
      at: '2026-01-01T00:00:00.000Z',
      operatorId: null,
      answers: null,
      content,
    });
    node.add(refused());
    await node.flush();
    expect(await list()).toMatchObject([{ refusal: { reason: 'wrong_sign_in' } }]);
    expect((await list({})).map(({ refusal }) => refusal?.count ?? null)).toEqual([1, null]);
  });
  it('of an operator is of the store that it is about', async () => {
    const id = world.ids.next();
    await world.stores.create({ id, domain: 'a.test', name: 'A', currency: 'EUR' });
    node.add({ ...byOperator('ada'), place: { by: 'store', id } });
    await node.flush();
    expect(await list()).toMatchObject([{ storeId: id, operatorId: 'ada' }]);
  });
  it('of a stranger is of the store that has the domain, and of no store where none has it', async () => {
    const id = world.ids.next();
    await world.stores.create({ id, domain: 'a.test', name: 'A', currency: 'EUR' });
    for (const domain of ['a.test', 'b.test']) node.add(refused({ place: { domain } }));
    await node.flush();
    expect((await list()).map(({ storeId }) => storeId)).toEqual([null, id]);
  });
  it('that the database does not count is counted by a later flush, before what came meanwhile', async () => {
    const { countRefused } = world.auditLog;
    const failing = { ...world.auditLog, countRefused: () => Promise.reject(new Error('away')) };
    const ports = { ...world, auditLog: failing };
    const own = aNode(ports);
    own.add(refused({ reason: 'too_many_wrong_admin_tokens' }));
    await expect(own.flush()).rejects.toThrow('away');
    failing.countRefused = countRefused as never;
    own.add(refused());
    await own.flush();
    expect((await list()).map(({ refusal }) => refusal?.reason)).toEqual(['wrong_sign_in', 'too_many_wrong_admin_tokens']);
  });
});

it('a refusal that cannot be written is reported, and keeps no other from being written', async () => {
  const error = new Error('locked');
  const atDomain = (domain: string) => (domain === 'locked.test' ? Promise.reject(error) : world.stores.atDomain(domain));
  const own = aNode({ ...world, stores: { ...world.stores, atDomain } });
  for (const domain of ['locked.test', 'b.test']) own.add(refused({ place: { domain } }));
  own.add(byOperator('ada'));
  await own.flush();
  expect(await list()).toHaveLength(2);
  expect(lost).toEqual([error]);
});

describe('strangers', () => {
  it('cause 54 entries with 10,000 wrong tokens from 100 addresses at most', async () => {
    for (let batch = 0; batch < 100; batch += 1) {
      add(100, (n) => from(n));
      await node.flush();
    }
    expect(await list()).toHaveLength(MOST_OF_10_000 - 1);
    expect((await counts()).filter((count) => count > 1)).toEqual([100, 1_000, 10_000]);
  });
  it('cause no more by any number of nodes', async () => {
    const nodes = Array.from({ length: 5 }, () => aNode());
    for (let batch = 0; batch < 20; batch += 1) {
      for (const one of nodes) add(100, (n) => from(n), one);
      for (const one of nodes) await one.flush();
    }
    expect((await list()).length).toBeLessThanOrEqual(MOST_OF_10_000);
    expect((await counts()).filter((count) => count === 1)).toHaveLength(50);
  });
  it('of one address cause 5 entries, and those of other addresses have theirs', async () => {
    add(9, () => from(1));
    add(2, () => from(2));
    await node.flush();
    // The eleventh is not the tenth: it says how many there were.
    expect(await counts()).toEqual([...ones(7), 11]);
  });
  it('have no entry that counts them while each has its own', async () => {
    add(50, (n) => from(n));
    await node.flush();
    expect(await counts()).toEqual(ones(50));
  });
  it('spend nothing of another way in, and nothing of an operator', async () => {
    add(1_000, (n) => from(n));
    add(1, () => refused({ kind: 'Sign in with a passkey', sender: '1' }));
    add(1, () => byOperator('ada'));
    await node.flush();
    expect(await counts()).toEqual([...ones(50), 1_000, 1, 1]);
  });
  it('have new places in the next hour, on each node', async () => {
    const other = aNode();
    add(60, (n) => from(n));
    await node.flush();
    world.clock.advance(HOUR_MS);
    for (const one of [node, other]) {
      add(1, () => from(1), one);
      await one.flush();
    }
    expect(await counts()).toEqual([...ones(50), 60, 1, 1]);
  });
  it('are not kept in memory: of each hour that is over, nothing is left', async () => {
    for (let hour = 0; hour < 10; hour += 1) {
      add(1_000, (n) => from(n));
      await node.flush();
      world.clock.advance(HOUR_MS);
    }
    expect(node.size).toBe(1);
    await node.flush();
    expect(node.size).toBe(0);
  });
});

describe('an operator', () => {
  it('causes 50 entries in an hour, also from one address, and the others are counted', async () => {
    add(99, () => byOperator('ada'));
    await node.flush();
    add(1, () => byOperator('ada'));
    await node.flush();
    expect(await counts()).toEqual([...ones(50), 99, 100]);
  });
  it('spends nothing of another operator', async () => {
    add(99, () => byOperator('ada'));
    add(50, () => byOperator('grace'));
    await node.flush();
    expect(await list({ operatorId: 'grace', isRefused: true })).toHaveLength(50);
  });
});
