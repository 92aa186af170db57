import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { NewSubscription, SubscriptionRepository } from '../../src/domain/ports/subscription-repository.ts';
import { ids } from '../support/custom-data-world.ts';
import type { CustomDataWorld } from '../support/custom-data-world.ts';

const { storeA, storeB, appA, otherA, appB, gone } = ids;

export const subscriptionRepositoryContract = (name: string, open: () => Promise<CustomDataWorld>) => {
  describe(`SubscriptionRepository on ${name}`, () => {
    let world: CustomDataWorld;
    let subscriptions: SubscriptionRepository;
    beforeAll(async () => {
      world = await open();
      subscriptions = world.subscriptions;
    });
    afterAll(() => world.close());

    const aSubscription = (more: Partial<NewSubscription> = {}): NewSubscription => ({
      id: world.nextId(),
      storeId: storeA,
      installationId: appA,
      url: 'https://hooks.example.com/x',
      eventTypes: ['product.updated', 'inventory.updated'],
      description: null,
      signingSecret: null,
      ...more,
    });

    it('adds an active subscription', async () => {
      const added = aSubscription({ description: 'Sync' });
      expect(await subscriptions.create(added)).toEqual({
        id: added.id,
        url: added.url,
        description: 'Sync',
        eventTypes: ['product.updated', 'inventory.updated'],
        isActive: true,
        hasSigningSecret: true,
        isDeliverable: true,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: null,
        installationId: appA,
      });
    });

    it.each([
      ['the store', { storeId: ids.nowhere, installationId: null }],
      ['the installation', { installationId: ids.nowhere }],
      ['an installation of this store', { installationId: appB }],
      ['a live installation', { installationId: gone }],
    ])("null, and nothing is written, when %s isn't there", async (_, owner) => {
      const before = await subscriptions.list({ storeId: storeA, installationId: null });
      expect(await subscriptions.create(aSubscription(owner))).toBeNull();
      expect(await subscriptions.list({ storeId: storeA, installationId: null })).toEqual(before);
    });

    it("the owner's subscriptions alone, by creation, then id", async () => {
      const first = await subscriptions.create(aSubscription({ installationId: otherA }));
      const second = await subscriptions.create(aSubscription({ installationId: otherA }));
      const merchants = await subscriptions.create(aSubscription({ installationId: null, signingSecret: 'sealed' }));
      await subscriptions.create(aSubscription({ storeId: storeB, installationId: appB }));
      expect(await subscriptions.list({ storeId: storeA, installationId: otherA })).toEqual([first, second]);
      expect(await subscriptions.list({ storeId: storeA, installationId: null })).toEqual([merchants]);
      expect(merchants).toMatchObject({ installationId: null, hasSigningSecret: true, isDeliverable: true });
      expect(JSON.stringify(merchants)).not.toContain('sealed');
    });

    it('whether they are deliverable now: the scopes no longer cover every event type', async () => {
      const added = await subscriptions.create(
        aSubscription({ storeId: storeB, installationId: appB, eventTypes: ['order.paid'] }),
      );
      expect(added).toMatchObject({ hasSigningSecret: false, isDeliverable: false });
    });

    it("null when the store isn't there", async () => {
      expect(await subscriptions.list({ storeId: ids.nowhere, installationId: null })).toBeNull();
    });

    it('removes the owner’s subscription; false, and nothing changes, when the owner has none of that id', async () => {
      const added = aSubscription();
      await subscriptions.create(added);
      for (const [storeId, installationId] of [
        [storeA, otherA],
        [storeA, null],
        [storeB, appB],
        [storeB, appA],
      ] as const) {
        expect(await subscriptions.delete({ storeId, installationId }, added.id)).toBe(false);
      }
      expect(await subscriptions.delete({ storeId: storeA, installationId: appA }, added.id)).toBe(true);
      expect(await subscriptions.delete({ storeId: storeA, installationId: appA }, added.id)).toBe(false);
    });

    it('`full` when the installation has 50, also when many are added at once', async () => {
      const owner = { storeId: storeA, installationId: appA };
      const held = (await subscriptions.list(owner))?.length ?? 0;
      const answers = await Promise.all(Array.from({ length: 60 }, () => subscriptions.create(aSubscription())));
      expect(answers.filter((answer) => answer === 'full')).toHaveLength(held + 10);
      expect(await subscriptions.list(owner)).toHaveLength(50);
      expect(await subscriptions.create(aSubscription({ installationId: otherA }))).not.toBe('full');
    });
  });
};
