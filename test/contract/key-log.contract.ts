import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';

import type { AppKeyScope } from '../../src/domain/ports/idempotency/idempotency-repository.ts';
import { beforeAll } from './hooks.ts';
import { TTL_SECONDS, type World } from './worlds.ts';
import { claimKey } from '../support/claim-key.ts';

const [ONE, TWO] = ['1'.repeat(64), '2'.repeat(64)] as const;
const BODY = new TextEncoder().encode('{"ok":true}');
const NONE = { replays: 0, conflicts: 0, mismatches: 0 };
const SOME = { replays: 3, conflicts: 2, mismatches: 1 };

export const keyLogContract = (name: string, open: () => Promise<World>): void => {
  describe(`KeyLog on ${name}`, () => {
    let world: World;
    let storeId: string;
    let installationId: string;
    const aKey = (): AppKeyScope => ({ storeId, installationId, key: `a key / of ${randomUUID()}` });
    const claim = (scope: AppKeyScope) => claimKey(world.ports, scope, ONE);
    const finish = async (
      scope: AppKeyScope,
      { body = BODY, requestId = null }: { body?: Uint8Array | null; requestId?: string | null } = {},
    ) => {
      await claim(scope);
      return world.ports.transaction.run({ requestId }, async (tx) => {
        await tx.idempotency.lock(scope);
        const event = { storeId, type: 'product.updated', resourceId: 'r', origin: null, data: {} } as const;
        const ids = await tx.events.append([event, event]);
        await tx.idempotency.remember(scope, { status: 200, headers: {}, body });
        return ids;
      });
    };
    const count = (scope: AppKeyScope, uses = SOME) => world.ports.keyLog.count([{ ...scope, ...uses }]);
    const get = (scope: AppKeyScope) => world.ports.keyLog.get(scope);
    const reset = (scope: AppKeyScope) =>
      world.ports.transaction.run(null, async (tx) => {
        await tx.idempotency.lock(scope);
        await tx.idempotency.reset(scope, TWO);
      });

    beforeAll(async () => {
      world = await open();
      storeId = await world.aStore();
      installationId = await world.anInstallation(storeId);
    });
    afterAll(() => world.close());

    describe('get', () => {
      it('Returns the life of the key.', async () => {
        const scope = aKey();
        await finish(scope);
        await count(scope);
        const life = await get(scope);
        expect(life).toMatchObject({ state: 'finished', status: 200, bytes: BODY.length, replayable: true, ...SOME });
        const seconds = (Date.parse(life?.expiresAt ?? '') - Date.parse(life?.finishedAt ?? '')) / 1000;
        expect(seconds).toBe(TTL_SECONDS);
        expect(Date.parse(life?.firstAt ?? '')).toBeLessThanOrEqual(Date.parse(life?.finishedAt ?? ''));
        const large = aKey();
        await finish(large, { body: null });
        expect(await get(large)).toMatchObject({ state: 'finished', bytes: null, replayable: false, ...NONE });
        await world.pass(TTL_SECONDS + 1);
        expect(await get(scope)).toMatchObject({ state: 'expired', ...SOME });
      });
      it('Returns `running` only while a runner has the key, and `abandoned` for another unfinished key.', async () => {
        const scope = aKey();
        await claim(scope);
        const unfinished = { finishedAt: null, expiresAt: null, status: null, bytes: null, replayable: false };
        expect(await get(scope)).toMatchObject({ state: 'abandoned', ...unfinished });
        await world.ports.transaction.run(null, async (tx) => {
          await tx.idempotency.lock(scope);
          expect(await get(scope)).toMatchObject({ state: 'running', ...unfinished });
        });
        expect(await get(scope)).toMatchObject({ state: 'abandoned' });
      });
      it('Takes no lock that a runner could meet.', async () => {
        const scope = aKey();
        await claim(scope);
        const looks = Array.from({ length: 20 }, () => get(scope));
        const held = await world.ports.transaction.run(null, (tx) => tx.idempotency.lock(scope));
        expect(held).not.toBeNull();
        await Promise.all(looks);
      });
      it('Returns the ids of the events that the request of the key caused.', async () => {
        const [scope, requestId] = [aKey(), randomUUID()];
        const ids = await finish(scope, { requestId });
        const other = aKey();
        const others = await finish(other, { requestId: randomUUID() });
        expect((await get(scope))?.eventIds).toEqual([...ids].sort());
        expect((await get(other))?.eventIds).toEqual([...others].sort());
        const unknown = aKey();
        await finish(unknown);
        expect((await get(unknown))?.eventIds).toEqual([]);
      });
      it('Returns null when the key does not exist.', async () => {
        const scope = aKey();
        await claim(scope);
        expect(await get(aKey())).toBeNull();
        expect(await get({ ...scope, installationId: await world.anInstallation(storeId) })).toBeNull();
      });
      it('Returns null when the app was uninstalled.', async () => {
        const scope = { ...aKey(), installationId: await world.anInstallation(storeId) };
        await finish(scope);
        expect(await get(scope)).not.toBeNull();
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(scope.storeId, scope.installationId));
        expect(await get(scope)).toBeNull();
      });
    });

    describe('count', () => {
      it('Adds the uses to those of each key.', async () => {
        const [a, b] = [aKey(), aKey()];
        await finish(a);
        await claim(b);
        await world.ports.keyLog.count([
          { ...b, ...NONE, conflicts: 4 },
          { ...a, ...SOME },
        ]);
        await count(a);
        expect(await get(a)).toMatchObject({ replays: 6, conflicts: 4, mismatches: 2 });
        expect(await get(b)).toMatchObject({ ...NONE, conflicts: 4 });
      });
      it('Adds nothing for a key that does not exist.', async () => {
        const scope = aKey();
        await count(scope);
        await claim(scope);
        expect(await get(scope)).toMatchObject(NONE);
      });
      it('Counts from zero after the key was reset.', async () => {
        const scope = aKey();
        await finish(scope);
        await count(scope);
        await world.pass(TTL_SECONDS + 1);
        await reset(scope);
        expect(await get(scope)).toMatchObject({ state: 'abandoned', ...NONE, eventIds: [] });
        await count(scope, { ...NONE, replays: 1 });
        expect(await get(scope)).toMatchObject({ ...NONE, replays: 1 });
      });
      it('Does not wait for a runner of the key.', async () => {
        const scope = aKey();
        await claim(scope);
        await world.ports.transaction.run(null, async (tx) => {
          await tx.idempotency.lock(scope);
          await count(scope);
          expect(await get(scope)).toMatchObject(SOME);
        });
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` counts of keys that have ended, and returns how many.', async () => {
        await world.pass(10 * TTL_SECONDS);
        await world.ports.idempotency.purge(1_000);
        await world.ports.keyLog.purge(1_000);
        const keys = [aKey(), aKey(), aKey()];
        for (const scope of keys) {
          await finish(scope);
          await count(scope);
        }
        await world.pass(TTL_SECONDS + 1);
        await world.ports.idempotency.purge(1_000);
        const purge = () => world.ports.keyLog.purge(2);
        expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0]);
      });
      it('Keeps the counts of a key that exists.', async () => {
        const scope = aKey();
        await finish(scope);
        await count(scope);
        await world.pass(TTL_SECONDS + 1);
        await world.ports.keyLog.purge(1_000);
        expect(await get(scope)).toMatchObject(SOME);
      });
    });
  });
};
