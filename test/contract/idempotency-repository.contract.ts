import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { KeyScope } from '../../src/domain/ports/idempotency-repository.ts';
import { TTL_SECONDS } from './worlds.ts';
import type { World } from './worlds.ts';

const ONE = '1'.repeat(64);
const TWO = '2'.repeat(64);
const RESPONSE = { status: 200, headers: { 'Content-Type': 'application/json' }, body: new TextEncoder().encode('{"ok":true}') };

export const idempotencyRepositoryContract = (name: string, open: () => Promise<World>): void => {
  describe(`idempotency-repository: ${name}`, () => {
    let world: World;
    let installationId: string;
    let n = 0;
    const aKey = (): KeyScope => ({ installationId, key: `key-${String((n += 1))}` });
    const lock = (scope: KeyScope) => world.ports.transaction.run((tx) => tx.idempotency.lock(scope));
    const fingerprint = async (scope: KeyScope) => (await world.ports.idempotency.find(scope))?.record.fingerprint;
    const finish = (scope: KeyScope, response: Parameters<typeof remember>[1] = RESPONSE) => remember(scope, response);
    const remember = async (
      scope: KeyScope,
      response: { status: number; headers: Record<string, string>; body: Uint8Array | null },
    ) => {
      await world.ports.idempotency.claim(scope, ONE);
      await world.ports.transaction.run(async (tx) => {
        await tx.idempotency.lock(scope);
        await tx.idempotency.remember(scope, response);
      });
    };
    /** Runs `check` while a live runner has the key. */
    const whileHeld = async (scope: KeyScope, check: () => Promise<void>) => {
      await world.ports.transaction.run(async (tx) => {
        await tx.idempotency.lock(scope);
        await check();
      });
    };

    beforeAll(async () => {
      world = await open();
      installationId = await world.anInstallation(await world.aStore());
    });
    afterAll(() => world.close());

    it("inserts the key as running under this fingerprint if it isn't there; otherwise changes nothing", async () => {
      const scope = aKey();
      await world.ports.idempotency.claim(scope, ONE);
      await world.ports.idempotency.claim(scope, TWO);
      expect(await fingerprint(scope)).toBe(ONE);
      expect((await lock(scope))?.record).toEqual({ state: 'abandoned', fingerprint: ONE, replayable: false });
    });
    it('claims without waiting for a runner', async () => {
      const scope = aKey();
      await world.ports.idempotency.claim(scope, ONE);
      await whileHeld(scope, async () => {
        await world.ports.idempotency.claim(scope, TWO);
        expect(await fingerprint(scope)).toBe(ONE);
      });
    });
    it('The key as it stands, whoever has it', async () => {
      const scope = aKey();
      await world.ports.idempotency.claim(scope, ONE);
      const begun = { record: { state: 'abandoned', fingerprint: ONE, replayable: false }, response: null };
      expect(await world.ports.idempotency.find(scope)).toEqual(begun);
      await whileHeld(scope, async () => {
        expect(await world.ports.idempotency.find(scope)).toEqual(begun);
      });
      await finish(scope);
      await whileHeld(scope, async () => {
        const found = await world.ports.idempotency.find(scope);
        expect(found?.record).toEqual({ state: 'finished', fingerprint: ONE, replayable: true });
        expect(Buffer.from(found?.response?.body ?? []).toString()).toBe('{"ok":true}');
      });
      await world.pass(TTL_SECONDS + 60);
      expect((await world.ports.idempotency.find(scope))?.record.state).toBe('expired');
    });
    it("finds null when the key isn't there", async () => {
      expect(await world.ports.idempotency.find(aKey())).toBeNull();
    });
    it("locks: null when a live runner has it or it isn't there", async () => {
      const scope = aKey();
      expect(await lock(scope)).toBeNull();
      await world.ports.idempotency.claim(scope, ONE);
      await whileHeld(scope, async () => {
        expect(await lock(scope)).toBeNull();
      });
    });
    it('locks none whose app is uninstalled: what a late retry inserts again does not run again', async () => {
      const scope = { ...aKey(), installationId: await world.anInstallation(await world.aStore()) };
      await finish(scope);
      await world.ports.transaction.run((tx) => tx.installations.uninstall(scope.installationId));
      await world.ports.idempotency.claim(scope, ONE);
      expect(await lock(scope)).toBeNull();
      expect(await fingerprint(scope)).toBe(ONE);
    });
    it('locks until the transaction ends, also when its work throws', async () => {
      const scope = aKey();
      await world.ports.idempotency.claim(scope, ONE);
      await expect(whileHeld(scope, () => Promise.reject(new Error('the work failed')))).rejects.toThrow('the work failed');
      expect((await lock(scope))?.record.state).toBe('abandoned');
    });
    it('finishes the locked key with the response', async () => {
      const scope = aKey();
      await finish(scope);
      const locked = await lock(scope);
      expect(locked?.record).toEqual({ state: 'finished', fingerprint: ONE, replayable: true });
      expect({ ...locked?.response, body: Buffer.from(locked?.response?.body ?? []).toString() }).toEqual({
        ...RESPONSE,
        body: '{"ok":true}',
      });
    });
    it('keeps no body where there is none to keep', async () => {
      const scope = aKey();
      await finish(scope, { ...RESPONSE, body: null });
      expect(await lock(scope)).toMatchObject({ record: { state: 'finished', replayable: false }, response: { body: null } });
    });
    it('forgets what was remembered when the work throws afterwards', async () => {
      const scope = aKey();
      await world.ports.idempotency.claim(scope, ONE);
      const run = world.ports.transaction.run(async (tx) => {
        await tx.idempotency.lock(scope);
        await tx.idempotency.remember(scope, RESPONSE);
        throw new Error('after');
      });
      await expect(run).rejects.toThrow('after');
      expect((await lock(scope))?.record.state).toBe('abandoned');
    });
    it('its memory counts from the finish: expired after it, not before', async () => {
      const scope = aKey();
      await finish(scope);
      await world.pass(TTL_SECONDS - 60);
      expect((await lock(scope))?.record.state).toBe('finished');
      await world.pass(120);
      expect((await lock(scope))?.record.state).toBe('expired');
    });
    it('puts the locked key back to running, under this fingerprint, forgetting its response', async () => {
      const scope = aKey();
      await finish(scope);
      await world.ports.transaction.run(async (tx) => {
        await tx.idempotency.lock(scope);
        await tx.idempotency.reset(scope, TWO);
      });
      expect(await lock(scope)).toEqual({ record: { state: 'abandoned', fingerprint: TWO, replayable: false }, response: null });
    });
    it('deletes up to `limit` keys that are expired, or were abandoned as long ago, and that nobody runs', async () => {
      await world.pass(TTL_SECONDS + 60);
      await world.ports.idempotency.purge(100);
      const [expired, abandoned, held] = [aKey(), aKey(), aKey()];
      await finish(expired);
      await world.ports.idempotency.claim(abandoned, ONE);
      await world.ports.idempotency.claim(held, ONE);
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

    it('no more than `limit` at once, the finished and the abandoned together; what is fresh stays, a key that was reset too', async () => {
      await world.pass(TTL_SECONDS + 60);
      await world.ports.idempotency.purge(100);
      const [reset, ...old] = [aKey(), aKey(), aKey(), aKey(), aKey()];
      for (const key of old.slice(0, 2)) await finish(key);
      for (const key of old.slice(2)) await world.ports.idempotency.claim(key, ONE);
      await finish(reset);
      await world.pass(TTL_SECONDS + 60);
      await world.ports.transaction.run(async (tx) => {
        await tx.idempotency.lock(reset);
        await tx.idempotency.reset(reset, ONE);
      });
      const fresh = aKey();
      await world.ports.idempotency.claim(fresh, ONE);
      const purged = [];
      for (let n = 0; n < 3; n += 1) purged.push(await world.ports.idempotency.purge(3));
      expect(purged).toEqual([3, 1, 0]);
      expect(await fingerprint(reset)).toBe(ONE);
      expect(await fingerprint(fresh)).toBe(ONE);
    });
  });
};
