import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';

import { MAX_SANDBOX_RECORDS } from '../../src/domain/identity/sandbox.ts';
import type { Installation } from '../../src/domain/identity/installation.ts';
import { NO_OPTIONS, type SubscriptionOptions } from '../../src/domain/webhooks/subscription-options.ts';
import { claimKey } from '../support/claim-key.ts';
import { anImport, anInstallation, aSandbox, useTenancy, type IdentityWorld } from './identity-worlds.ts';

export const sandboxRecordsContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`SandboxRecords on ${name}`, () => {
    let world: IdentityWorld;
    let merchants: Installation;
    let own: Installation;
    useTenancy(open, (tenancy) => {
      ({ world, installation: merchants } = tenancy);
    });
    beforeEach(async () => {
      own = await anInstallation(world, (await aSandbox(world)).id);
    });
    const count = ({ storeId }: Pick<Installation, 'storeId'>) => world.ports.sandboxRecords.count(storeId);
    const records = async () => (await count(own))?.records;
    const event = { type: 'product.updated', resourceId: 'r', origin: null, data: { id: 'r' } } as const;
    const append = ({ storeId }: Pick<Installation, 'storeId'>, events = 1, data: object = {}) =>
      world.ports.transaction.run(null, (tx) =>
        tx.events.append(Array.from({ length: events }, () => ({ ...event, storeId, data: { ...event.data, ...data } }))),
      );
    const subscribe = ({ storeId, id: installationId }: Installation, options: Partial<SubscriptionOptions> = {}) => {
      const more = { url: 'https://x.test', description: null, signingSecret: null, ...NO_OPTIONS, ...options };
      return world.ports.subscriptions.create({
        id: world.ids.next(),
        storeId,
        installationId,
        eventTypes: ['product.updated'],
        ...more,
      });
    };
    const finish = async (installationId: string | null, key: string, body: Uint8Array): Promise<void> => {
      const scope = { storeId: own.storeId, installationId, key };
      await claimKey(world.ports, scope, '11'.repeat(32));
      await world.ports.transaction.run(null, async ({ idempotency }) => {
        await idempotency.lock(scope);
        await idempotency.remember(scope, { status: 200, headers: {}, body });
      });
    };
    /** The text of this many bytes does not compress. */
    const text = (bytes: number): string =>
      Array.from({ length: bytes / 64 }, (_, n) =>
        hash('sha512', `${world.ids.next()} ${String(n)}`, 'base64').slice(0, 64),
      ).join('');

    describe('count', () => {
      describe('Returns how many events, deliveries, attempts, idempotency keys, redeliveries and images of imports the sandbox store has, with the bytes of their contents.', () => {
        it('none of a new store, and none of another', async () => {
          const other = await aSandbox(world);
          await append({ storeId: other.id });
          await append(merchants);
          expect(await count(own)).toEqual({ records: 0, bytes: 0 });
        });
        it('events, deliveries and attempts', async () => {
          await subscribe(own);
          await append(own, 2);
          await world.ports.deliveries.fanOut(own.storeId, 10);
          expect(await records()).toBe(4);
          const { items = [] } = (await world.ports.deliveryLog.list(own.storeId, {}, { after: null, take: 1 })) ?? {};
          const seen = { status: 200, address: null, error: null, response: text(3_200), signature: null, gap: null };
          const before = (await count(own))?.bytes ?? 0;
          const at = { number: 1, startedAt: 0, durationMs: 1, waitedMs: null, verdict: { kind: 'delivered' } } as const;
          const [{ id: deliveryId, subscriptionId }] = items as [(typeof items)[number]];
          await world.ports.deliveries.due({ storeId: own.storeId, subscriptionId }, 10, []);
          await world.ports.deliveries.settle([{ storeId: own.storeId, deliveryId, ...at, ...seen }], []);
          expect(await records()).toBe(5);
          expect(((await count(own))?.bytes ?? 0) - before).toBeGreaterThan(1_500);
        });
        it('events that another delivery has gathered', async () => {
          await subscribe(own, { gather: { quietSeconds: 60, maxSeconds: 60 } });
          await append(own, 3);
          await world.ports.deliveries.fanOut(own.storeId, 10);
          expect(await records()).toBe(3 + 1 + 2);
        });
        it('keys of apps and of the merchant, redeliveries and images', async () => {
          await finish(own.id, 'one', new TextEncoder().encode('{}'));
          await finish(null, 'one', new TextEncoder().encode('{}'));
          await claimKey(world.ports, { storeId: own.storeId, installationId: own.id, key: 'two' }, '11'.repeat(32));
          expect(await records()).toBe(3);
          await world.ports.redeliveries.add(own.storeId, { types: ['ping'] }, { askedAt: '2026-01-01T00:00:00.000Z', total: 0 });
          await anImport(world, own);
          expect(await records()).toBe(5);
        });
        it('the bytes of a body, also of one that is too large for a webhook', async () => {
          await append(own, 1, { content: text(320_000) });
          expect((await count(own))?.bytes).toBeGreaterThan(150_000);
          await finish(own.id, 'large', new TextEncoder().encode(text(160_000)));
          expect((await count(own))?.bytes).toBeGreaterThan(230_000);
        });
      });
      it('Counts an event that waits for its fan-out as a delivery to each subscription as well.', async () => {
        await subscribe(own);
        await subscribe(own);
        await append(own, 3);
        expect(await records()).toBe(3 + 3 * 2);
        await world.ports.deliveries.fanOut(own.storeId, 10);
        expect(await records()).toBe(3 + 3 * 2);
      });
      it('Counts no further than a sandbox store may have.', async () => {
        for (let n = 0; n < MAX_SANDBOX_RECORDS; n += 10_000) await append(own, 10_000);
        await append(own);
        expect(await records()).toBe(MAX_SANDBOX_RECORDS);
      });
      it('Returns null for the store of a merchant, and where the store does not exist.', async () => {
        await append(merchants);
        expect(await count(merchants)).toBeNull();
        expect(await count({ storeId: world.ids.next() })).toBeNull();
      });
    });
  });
};
