import { beforeEach, describe, expect, it } from 'vitest';

import { insightLookups } from '../../../src/application/insight/lookups.ts';
import { createStore } from '../../../src/application/identity/store-changes.ts';
import type { Place } from '../../../src/domain/place.ts';
import type { KeptRefusal } from '../../../src/domain/insight/refused-request.ts';
import { notFound } from '../../../src/domain/result.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { claimKey } from '../../support/claim-key.ts';

const idOf = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

let world: MemoryWorld;
let storeId: string;
beforeEach(async () => {
  world = openMemoryPorts();
  const created = await createStore(world, null)({ domain: 'a.test' });
  storeId = created.ok ? created.value.id : expect.fail(created.message);
});

const refusal = (n: number, at = world.clock.now()): KeptRefusal => ({
  id: idOf(n),
  at,
  route: 'GET /apps/catalog/products',
  status: 401,
  code: 'unauthenticated',
  reason: 'expired',
  check: 'token',
  storeId,
  host: 'a.test',
  installationId: null,
  durationMs: 1,
  leftOut: 0,
});

describe('the refused requests of a store', () => {
  const list = async (take: number, after: Place | null = null, filter = {}) => {
    const found = await insightLookups(world).listRefusals(storeId, filter, { after, take });
    return found.ok ? found.value : expect.fail(found.message);
  };
  const idsOf = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ id }) => id);

  it('come newest first, page by page, and the last page has no next', async () => {
    const now = world.clock.now();
    await world.requestLog.write([refusal(1, now), refusal(2, now + 1), refusal(3, now + 2)]);
    const first = await list(2);
    expect([idsOf(first), first.next]).toEqual([[idOf(3), idOf(2)], { at: now + 1, id: idOf(2) }]);
    const last = await list(2, first.next);
    expect([idsOf(last), last.next]).toEqual([[idOf(1)], null]);
  });
  it('have no next when they fill the page exactly, or when there are none', async () => {
    expect(await list(2)).toEqual({ items: [], next: null });
    await world.requestLog.write([refusal(1), refusal(2)]);
    expect((await list(2)).next).toBeNull();
  });
  it('match the filter', async () => {
    await world.requestLog.write([refusal(1)]);
    expect(idsOf(await list(2, null, { status: 429 }))).toEqual([]);
  });
  it('are not found for an unknown store', async () => {
    expect(await insightLookups(world).listRefusals(idOf(9), {}, { after: null, take: 1 })).toEqual(notFound('Store'));
  });
  it('are found by the id of the request', async () => {
    await world.requestLog.write([refusal(1)]);
    expect(await insightLookups(world).getRefusal(idOf(1))).toMatchObject({ ok: true, value: { id: idOf(1), check: 'token' } });
    expect(await insightLookups(world).getRefusal(idOf(2))).toEqual(notFound('Refused request'));
  });
  it('are for an app those of the app itself', async () => {
    const own = { storeId, installationId: idOf(8), scopes: [] };
    await world.requestLog.write([{ ...refusal(1), installationId: idOf(8) }, refusal(2)]);
    expect(await insightLookups(world).getOwnRefusal(own, idOf(1))).toMatchObject({ ok: true, value: { id: idOf(1) } });
    for (const id of [idOf(2), idOf(3)]) {
      expect(await insightLookups(world).getOwnRefusal(own, id)).toEqual(notFound('Refused request'));
    }
  });
  it('are grouped by app, route and reason', async () => {
    const { groupRefusals } = insightLookups(world);
    await world.requestLog.write([refusal(1), { ...refusal(2), leftOut: 3 }, { ...refusal(3), reason: 'revoked' }]);
    const grouped = await groupRefusals(storeId, {});
    expect(grouped).toMatchObject({
      ok: true,
      value: {
        items: [
          { newest: { reason: 'revoked' }, count: 1 },
          { newest: { reason: 'expired' }, count: 5 },
        ],
        isComplete: true,
      },
    });
    expect(await groupRefusals(storeId, { reason: 'revoked' })).toMatchObject({ value: { items: [{ count: 1 }] } });
    expect(await groupRefusals(idOf(9), {})).toEqual(notFound('Store'));
  });
});

describe('the figures of a store', () => {
  it('have the range that was asked for, and the steps in it', async () => {
    await world.requestLog.write([refusal(1)]);
    world.clock.advance(60_000);
    const found = await insightLookups(world).getStats(storeId, { step: 'minute' });
    expect(found).toMatchObject({ ok: true, value: { step: 'minute', steps: [{ refusals: [{ check: 'token', count: 1 }] }] } });
  });
  it('are refused for a range without a step, and not found for an unknown store', async () => {
    expect(await insightLookups(world).getStats(storeId, { from: world.clock.now() + 172_800_000, step: 'day' })).toMatchObject({
      ok: false,
      code: 'invalid',
    });
    expect(await insightLookups(world).getStats(idOf(9), { step: 'day' })).toEqual(notFound('Store'));
  });
});

it('the life of a key is found by its installation and its text', async () => {
  const scope = { installationId: idOf(1), key: 'key' };
  const own = { storeId, installationId: idOf(1), scopes: [] };
  expect(await insightLookups(world).getKeyLife(scope)).toEqual(notFound('Idempotency key'));
  expect(await insightLookups(world).getOwnKeyLife(own, 'key')).toEqual(notFound('Idempotency key'));
  await claimKey(world, { storeId, ...scope }, '1'.repeat(64));
  expect(await insightLookups(world).getOwnKeyLife(own, 'key')).toMatchObject({ ok: true, value: { replays: 0 } });
  const located = { ...world, locator: { storeOf: () => Promise.resolve(storeId) } };
  expect(await insightLookups(located).getKeyLife(scope)).toMatchObject({ ok: true, value: { finishedAt: null, replays: 0 } });
});
