import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';

import type { AppKeyScope, KeyScope } from '../../src/domain/ports/idempotency/idempotency-repository.ts';
import { beforeAll } from './hooks.ts';
import { TTL_SECONDS, type World } from './worlds.ts';
import { claimKey } from '../support/claim-key.ts';

const ONE = '1'.repeat(64);
const TWO = '2'.repeat(64);
const RESPONSE = { status: 200, headers: { 'Content-Type': 'application/json' }, body: new TextEncoder().encode('{"ok":true}') };

export const idempotencyRepositoryContract = (name: string, open: () => Promise<World>): void => {
  describe(`IdempotencyRepository on ${name}`, () => {
    let world: World;
    let storeId: string;
    let installationId: string;
    let n = 0;
    const aKey = (): AppKeyScope => ({ storeId, installationId, key: `key-${String((n += 1))}` });
    const keyOfAnother = async (): Promise<AppKeyScope> => {
      const another = await world.aStore();
      return { ...aKey(), storeId: another, installationId: await world.anInstallation(another) };
    };
    const lock = (scope: KeyScope) => world.ports.transaction.run(null, (tx) => tx.idempotency.lock(scope));
    const fingerprint = async (scope: KeyScope) => (await world.ports.idempotency.find(scope))?.record.fingerprint;
    const finish = (scope: KeyScope, response: Parameters<typeof remember>[1] = RESPONSE) => remember(scope, response);
    const remember = async (
      scope: KeyScope,
      response: { status: number; headers: Record<string, string>; body: Uint8Array | null },
    ) => {
      await claimKey(world.ports, scope, ONE);
      await world.ports.transaction.run(null, async (tx) => {
        await tx.idempotency.lock(scope);
        await tx.idempotency.remember(scope, response);
      });
    };
    /** Runs `check` while a live runner has the key. */
    const whileHeld = async (scope: KeyScope, check: () => Promise<void>) => {
      await world.ports.transaction.run(null, async (tx) => {
        await tx.idempotency.lock(scope);
        await check();
      });
    };

    beforeAll(async () => {
      world = await open();
      storeId = await world.aStore();
      installationId = await world.anInstallation(storeId);
    });
    afterAll(() => world.close());

    it('The keys of a merchant live as those of an app do.', async () => {
      const scope = { ...aKey(), installationId: null };
      const ended = { ...aKey(), installationId: null };
      await claimKey(world.ports, scope, ONE);
      await whileHeld(scope, async () => {
        expect(await lock(scope)).toBeNull();
        expect((await world.ports.idempotency.find(scope))?.record.state).toBe('abandoned');
      });
      await finish(scope);
      expect(await lock(scope)).toMatchObject({
        record: { state: 'finished', fingerprint: ONE, replayable: true },
        response: { status: 200 },
      });
      await world.ports.transaction.run(null, async (tx) => {
        await tx.idempotency.lock(scope);
        await tx.idempotency.reset(scope, TWO);
      });
      expect(await fingerprint(scope)).toBe(TWO);
      await finish(ended);
      await world.pass(TTL_SECONDS + 60);
      expect((await lock(ended))?.record.state).toBe('expired');
      await world.ports.idempotency.purge(100);
      expect([await fingerprint(scope), await fingerprint(ended)]).toEqual([undefined, undefined]);
    });
    it('No app has one of them.', async () => {
      const own = aKey();
      const merchants = { ...own, installationId: null };
      await claimKey(world.ports, merchants, ONE);
      expect([await world.ports.idempotency.find(own), await lock(own)]).toEqual([null, null]);
      await claimKey(world.ports, own, TWO);
      expect([await fingerprint(merchants), await fingerprint(own)]).toEqual([ONE, TWO]);
      const elsewhere = { ...merchants, storeId: (await keyOfAnother()).storeId };
      expect(await world.ports.idempotency.find(elsewhere)).toBeNull();
    });

    describe('find', () => {
      it('Returns what is known of the key, also while a runner has it.', async () => {
        const scope = aKey();
        await finish(scope);
        await whileHeld(scope, async () => {
          const found = await world.ports.idempotency.find(scope);
          expect(found?.record).toEqual({ state: 'finished', fingerprint: ONE, replayable: true });
          expect(Buffer.from(found?.response?.body ?? []).toString()).toBe('{"ok":true}');
        });
      });
      it('Returns an unfinished key as `abandoned`, because only a lock shows whether it runs.', async () => {
        const scope = aKey();
        await claimKey(world.ports, scope, ONE);
        const begun = { record: { state: 'abandoned', fingerprint: ONE, replayable: false }, response: null };
        expect(await world.ports.idempotency.find(scope)).toEqual(begun);
        await whileHeld(scope, async () => {
          expect(await world.ports.idempotency.find(scope)).toEqual(begun);
        });
      });
      it('Returns a key as `expired` when its time has passed.', async () => {
        const scope = aKey();
        await finish(scope);
        await world.pass(TTL_SECONDS + 60);
        expect((await world.ports.idempotency.find(scope))?.record.state).toBe('expired');
      });
      it('Returns null when the app was uninstalled.', async () => {
        const scope = await keyOfAnother();
        await finish(scope);
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(scope.storeId, scope.installationId));
        expect(await world.ports.idempotency.find(scope)).toBeNull();
      });
      it('Returns null when the key does not exist.', async () => {
        expect(await world.ports.idempotency.find(aKey())).toBeNull();
      });
    });

    describe('lock', () => {
      it('Returns null when a runner has the key.', async () => {
        const scope = aKey();
        await claimKey(world.ports, scope, ONE);
        await whileHeld(scope, async () => {
          expect(await lock(scope)).toBeNull();
        });
      });
      it('Returns null when the key does not exist.', async () => {
        expect(await lock(aKey())).toBeNull();
      });
      it('Returns null when the app was uninstalled.', async () => {
        const scope = await keyOfAnother();
        await finish(scope);
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(scope.storeId, scope.installationId));
        await claimKey(world.ports, scope, ONE);
        expect(await lock(scope)).toBeNull();
      });
      it('Locks the key until the transaction ends, also when its work throws.', async () => {
        const scope = aKey();
        await claimKey(world.ports, scope, ONE);
        await expect(whileHeld(scope, () => Promise.reject(new Error('the work failed')))).rejects.toThrow('the work failed');
        expect((await lock(scope))?.record.state).toBe('abandoned');
      });
      it('Returns what is known of the key.', async () => {
        const scope = aKey();
        await finish(scope);
        expect(await lock(scope)).toMatchObject({
          record: { state: 'finished', fingerprint: ONE, replayable: true },
          response: { status: 200 },
        });
        await world.pass(TTL_SECONDS + 60);
        expect((await lock(scope))?.record.state).toBe('expired');
      });
    });

    describe('remember', () => {
      it('Finishes the locked key and stores the response.', async () => {
        const scope = aKey();
        await finish(scope);
        const locked = await lock(scope);
        expect(locked?.record).toEqual({ state: 'finished', fingerprint: ONE, replayable: true });
        expect({ ...locked?.response, body: Buffer.from(locked?.response?.body ?? []).toString() }).toEqual({
          ...RESPONSE,
          body: '{"ok":true}',
        });
      });
      it('Stores no body when it is null.', async () => {
        const scope = aKey();
        await finish(scope, { ...RESPONSE, body: null });
        expect(await lock(scope)).toMatchObject({ record: { state: 'finished', replayable: false }, response: { body: null } });
      });
      it('Stores nothing when the transaction fails.', async () => {
        const scope = aKey();
        await claimKey(world.ports, scope, ONE);
        const run = world.ports.transaction.run(null, async (tx) => {
          await tx.idempotency.lock(scope);
          await tx.idempotency.remember(scope, RESPONSE);
          throw new Error('after');
        });
        await expect(run).rejects.toThrow('after');
        expect((await lock(scope))?.record.state).toBe('abandoned');
      });
      it('Keeps the id of the request that is the cause.', async () => {
        const requestId = randomUUID();
        const scope = aKey();
        await claimKey(world.ports, scope, ONE);
        const event = { storeId, type: 'product.updated', resourceId: 'r', origin: null, data: {} } as const;
        const ids = await world.ports.transaction.run({ requestId }, async (tx) => {
          await tx.idempotency.lock(scope);
          const made = await tx.events.append([event]);
          await tx.idempotency.remember(scope, RESPONSE);
          return made;
        });
        expect(await world.ports.keyLog.get(scope)).toMatchObject({ eventIds: ids });
      });
      it('The time until the key expires starts here.', async () => {
        const scope = aKey();
        await finish(scope);
        await world.pass(TTL_SECONDS - 60);
        expect((await lock(scope))?.record.state).toBe('finished');
        await world.pass(120);
        expect((await lock(scope))?.record.state).toBe('expired');
      });
    });
    describe('reset', () => {
      it('Returns the locked key to running with this fingerprint, without its response.', async () => {
        const scope = aKey();
        await finish(scope);
        await world.ports.transaction.run(null, async (tx) => {
          await tx.idempotency.lock(scope);
          await tx.idempotency.reset(scope, TWO);
        });
        expect(await lock(scope)).toEqual({
          record: { state: 'abandoned', fingerprint: TWO, replayable: false },
          response: null,
        });
      });
    });
    describe('purge', () => {
      it('Deletes expired keys, and unfinished keys of that age, unless a runner has them.', async () => {
        await world.pass(TTL_SECONDS + 60);
        await world.ports.idempotency.purge(100);
        const [expired, abandoned, held] = [aKey(), aKey(), aKey()];
        await finish(expired);
        await claimKey(world.ports, abandoned, ONE);
        await claimKey(world.ports, held, ONE);
        await world.pass(TTL_SECONDS + 60);
        const fresh = aKey();
        await finish(fresh);
        await whileHeld(held, async () => {
          expect(await world.ports.idempotency.purge(100)).toBe(2);
        });
        expect(await fingerprint(expired)).toBeUndefined();
        expect(await fingerprint(abandoned)).toBeUndefined();
        expect(await fingerprint(held)).toBe(ONE);
        expect(await fingerprint(fresh)).toBe(ONE);
        expect(await world.ports.idempotency.purge(100)).toBe(1);
      });

      it('Deletes the keys of uninstalled apps.', async () => {
        const [scope, other] = [await keyOfAnother(), aKey()];
        await finish(scope);
        await finish(other);
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(scope.storeId, scope.installationId));
        await claimKey(world.ports, { ...scope, key: 'late' }, ONE);
        expect(await world.ports.idempotency.purge(100)).toBe(2);
        expect(await world.ports.idempotency.purge(100)).toBe(0);
        expect(await fingerprint(other)).toBe(ONE);
      });

      it('Deletes at most `limit` keys, and returns how many.', async () => {
        await world.pass(TTL_SECONDS + 60);
        await world.ports.idempotency.purge(100);
        const [reset, ...old] = [aKey(), aKey(), aKey(), aKey(), aKey()];
        for (const key of old.slice(0, 2)) await finish(key);
        for (const key of old.slice(2)) await claimKey(world.ports, key, ONE);
        await finish(reset);
        await world.pass(TTL_SECONDS + 60);
        await world.ports.transaction.run(null, async (tx) => {
          await tx.idempotency.lock(reset);
          await tx.idempotency.reset(reset, ONE);
        });
        const fresh = aKey();
        await claimKey(world.ports, fresh, ONE);
        const purged = [];
        for (let n = 0; n < 3; n += 1) purged.push(await world.ports.idempotency.purge(3));
        expect(purged).toEqual([3, 1, 0]);
        expect(await fingerprint(reset)).toBe(ONE);
        expect(await fingerprint(fresh)).toBe(ONE);
      });
    });
  });
};
