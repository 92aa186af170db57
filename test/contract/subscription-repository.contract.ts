import { afterAll, describe, expect, it } from 'vitest';

import { NO_OPTIONS } from '../../src/domain/webhooks/subscription-options.ts';
import type {
  NewSubscription,
  SubscriptionQuery,
  SubscriptionRepository,
} from '../../src/domain/ports/webhooks/subscription-repository.ts';
import { beforeAll } from './hooks.ts';
import { ids, type CustomDataWorld } from './custom-data-world.ts';
import { aStore, anInstallation, type IdentityWorld } from './identity-worlds.ts';
import { aStoppable } from './stopping.ts';

const ALL = { skip: 0, take: 250 };

const { storeA, storeB, appA, otherA, appB, gone } = ids;

export const subscriptionRepositoryContract = (
  name: string,
  open: () => Promise<CustomDataWorld>,
  openIdentity: () => Promise<IdentityWorld>,
) => {
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
      ...NO_OPTIONS,
      signingSecret: null,
      ...more,
    });

    describe('create', () => {
      it('Adds an active subscription.', async () => {
        const options = {
          filter: { not: [{ path: 'id', op: 'exists' }] },
          fields: ['changedFields'],
          order: 'resource',
          gather: { quietSeconds: 5, maxSeconds: 60 },
          include: ['product'],
        } as const;
        const added = aSubscription({ description: 'Sync', ...options });
        expect(await subscriptions.create(added)).toEqual({
          id: added.id,
          url: added.url,
          description: 'Sync',
          ...options,
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
        ['no such store', { storeId: ids.nowhere, installationId: null }],
        ['no such installation', { installationId: ids.nowhere }],
        ['an installation of another store', { installationId: appB }],
        ['an installation that was uninstalled', { installationId: gone }],
      ])(
        'Returns null and writes nothing when the store does not exist or has no live installation with this id: %s',
        async (_, owner) => {
          const before = await subscriptions.list({ storeId: storeA, installationId: null });
          expect(await subscriptions.create(aSubscription(owner))).toBeNull();
          expect(await subscriptions.list({ storeId: storeA, installationId: null })).toEqual(before);
        },
      );
      it('Returns `full` when the installation has 50 subscriptions, also when many are added at once', async () => {
        const owner = { storeId: storeA, installationId: appA };
        const held = (await subscriptions.list(owner))?.length ?? 0;
        const answers = await Promise.all(Array.from({ length: 60 }, () => subscriptions.create(aSubscription())));
        expect(answers.filter((answer) => answer === 'full')).toHaveLength(held + 10);
        expect(await subscriptions.list(owner)).toHaveLength(50);
        expect(await subscriptions.create(aSubscription({ installationId: otherA }))).not.toBe('full');
        for (const installationId of [appA, otherA])
          for (const { id } of (await subscriptions.list({ storeId: storeA, installationId })) ?? [])
            await subscriptions.delete({ storeId: storeA, installationId }, id);
      });
    });

    describe('list', () => {
      it("Returns only the owner's subscriptions, by creation, then id.", async () => {
        const first = await subscriptions.create(aSubscription({ installationId: otherA }));
        const second = await subscriptions.create(aSubscription({ installationId: otherA }));
        const merchants = await subscriptions.create(aSubscription({ installationId: null, signingSecret: 'sealed' }));
        await subscriptions.create(aSubscription({ storeId: storeB, installationId: appB }));
        expect(await subscriptions.list({ storeId: storeA, installationId: otherA })).toEqual([first, second]);
        expect(await subscriptions.list({ storeId: storeA, installationId: null })).toEqual([merchants]);
        expect(merchants).toMatchObject({ installationId: null, hasSigningSecret: true, isDeliverable: true });
        expect(JSON.stringify(merchants)).not.toContain('sealed');
      });

      it('Says for each subscription whether it can be delivered to now.', async () => {
        const added = await subscriptions.create(
          aSubscription({ storeId: storeB, installationId: appB, eventTypes: ['order.paid'] }),
        );
        expect(added).toMatchObject({ hasSigningSecret: false, isDeliverable: false });
        const listed = await subscriptions.list({ storeId: storeB, installationId: appB });
        expect(listed?.find(({ id }) => added !== null && added !== 'full' && id === added.id)).toEqual(added);
      });

      it('Returns null when the store does not exist.', async () => {
        expect(await subscriptions.list({ storeId: ids.nowhere, installationId: null })).toBeNull();
      });
    });

    describe('watch', () => {
      const watched = async (filter: SubscriptionQuery = {}) => (await subscriptions.watch(storeA, ALL, filter))?.items ?? [];
      const idsOf = async (filter?: SubscriptionQuery) => (await watched(filter)).map(({ id }) => id);

      it("Returns a page of the store's subscriptions, also those of its apps, by creation, then id.", async () => {
        const before = await idsOf();
        const added = [aSubscription(), aSubscription({ installationId: null, signingSecret: 'sealed' }), aSubscription()];
        for (const one of added) await subscriptions.create(one);
        expect(await idsOf()).toEqual([...before, ...added.map(({ id }) => id)]);
        expect(JSON.stringify(await watched())).not.toContain('sealed');
        expect((await subscriptions.watch(storeA, { skip: 1, take: 1 }))?.items.map(({ id }) => id)).toEqual([
          (await idsOf())[1],
        ]);
      });
      describe('Returns only subscriptions that match every filter.', () => {
        it('the installation', async () => {
          await subscriptions.create(aSubscription());
          const own = (await subscriptions.list({ storeId: storeA, installationId: appA }))?.map(({ id }) => id);
          expect(await idsOf({ installationId: appA })).toEqual(own);
          expect(await idsOf({ installationId: appB })).toEqual([]);
        });
        it('a text in the URL or the description, in any case, the id or its beginning', async () => {
          const one = aSubscription({ url: 'https://hooks.test/Über', description: null });
          const other = aSubscription({ description: 'ÜBERALL' });
          for (const subscription of [one, other]) await subscriptions.create(subscription);
          expect(await idsOf({ q: 'über' })).toEqual([one.id, other.id]);
          expect(await idsOf({ q: 'Hooks.test/ü' })).toEqual([one.id]);
          expect(await idsOf({ q: other.id.toUpperCase(), installationId: appA })).toEqual([other.id]);
          expect(await idsOf({ q: other.id.slice(0, 7) })).toEqual([]);
        });
      });
      it('Begins behind the place, if one is given.', async () => {
        const whole = await idsOf();
        const first = await subscriptions.watch(storeA, { skip: 0, take: 1 });
        const rest = await subscriptions.watch(storeA, { ...ALL, after: first?.next ?? undefined });
        expect(rest).toMatchObject({ items: whole.slice(1).map((id) => ({ id })), next: null });
      });
      it('Counts all that match, also before the place.', async () => {
        const { length } = await idsOf();
        const first = await subscriptions.watch(storeA, { skip: 0, take: 1 });
        expect(await subscriptions.watch(storeA, { skip: 0, take: 1, after: first?.next ?? undefined })).toMatchObject({
          total: length,
        });
        expect(await subscriptions.watch(storeA, { skip: length, take: 1 })).toMatchObject({
          items: [],
          total: length,
          next: null,
        });
      });
      it('Shows since when each fails, when its breaker allows the next probe, and why it cannot be delivered to now.', async () => {
        const one = aSubscription();
        await subscriptions.create(one);
        const healthOf = async () => (await watched()).find(({ id }) => id === one.id)?.health;
        const whole = { deactivatesAt: null, pausedAt: null, deactivatedAt: null, deactivatedBecause: null };
        const healthy = { breaker: 'closed', failingSince: null, nextProbeAt: null, ...whole };
        expect(await healthOf()).toEqual({ ...healthy, notDeliverableBecause: [] });
        const failing = {
          storeId: storeA,
          subscriptionId: one.id,
          failures: 10,
          failingForSeconds: 60,
          probeInSeconds: 30,
          deactivates: false,
        };
        await world.deliveries.settle([], [failing]);
        const open = await healthOf();
        expect(open).toMatchObject({ breaker: 'open', notDeliverableBecause: ['paused_after_failures'] });
        const [since, probe, end] = [open?.failingSince, open?.nextProbeAt, open?.deactivatesAt].map((at) =>
          Date.parse(at ?? ''),
        );
        expect([Number(probe) - Number(since), Number(end) - Number(since)]).toEqual([90_000, 432_000_000]);
        await world.deliveries.settle([], [{ ...failing, probeInSeconds: -1 }]);
        expect(await healthOf()).toMatchObject({ breaker: 'probing' });
        await world.deliveries.settle([], [{ ...failing, deactivates: true }]);
        expect(await healthOf()).toMatchObject({
          notDeliverableBecause: ['deactivated', 'paused_after_failures'],
          deactivatesAt: null,
          deactivatedAt: expect.any(String) as string,
          deactivatedBecause: 'answered_410',
        });
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await subscriptions.watch(ids.nowhere, ALL)).toBeNull();
      });
    });

    describe('troubled', () => {
      const troubled = async (take = 50) => (await subscriptions.troubled(storeA, take)) ?? expect.fail('no store');
      const fails = { failures: 1, probeInSeconds: null, deactivates: false };
      const failing = async (failingForSeconds: number, deactivates = false): Promise<string> => {
        const one = aSubscription({ installationId: null, signingSecret: 'sealed' });
        await subscriptions.create(one);
        await world.deliveries.settle(
          [],
          [{ ...fails, storeId: storeA, subscriptionId: one.id, failingForSeconds, deactivates }],
        );
        return one.id;
      };
      it('Returns at most `take` active subscriptions of the store that fail, the longest failing first.', async () => {
        const [short, long] = [await failing(5_000), await failing(9_000)];
        const ids = (await troubled()).failing.map(({ id }) => id);
        expect(ids.filter((id) => [short, long].includes(id))).toEqual([long, short]);
        const [first, ...others] = (await troubled(1)).failing;
        expect([first?.id, others]).toEqual([ids[0], []]);
        expect(first?.health).toMatchObject({ breaker: 'closed', failingSince: expect.any(String) as string });
        const all = (await subscriptions.watch(storeA, ALL))?.items;
        expect(ids).toHaveLength(all?.filter(({ isActive, health }) => isActive && health.failingSince !== null).length ?? 0);
        expect(JSON.stringify(await troubled())).not.toContain('sealed');
      });
      it('Returns at most `take` deactivated subscriptions of the store, the latest first.', async () => {
        const first = await failing(5_000, true);
        const ids = (await troubled()).deactivated.map(({ id, isActive }) => [id, isActive]);
        expect(ids).toContainEqual([first, false]);
        expect((await troubled(1)).deactivated).toHaveLength(1);
        expect((await troubled()).failing.map(({ id }) => id)).not.toContain(first);
        const times = (await troubled()).deactivated.map(({ updatedAt }) => updatedAt ?? '');
        expect(times).toEqual(times.toSorted().reverse());
      });
      it('Returns null when the store does not exist.', async () => {
        expect(await subscriptions.troubled(ids.nowhere, 1)).toBeNull();
      });
    });

    describe('find', () => {
      it('Returns the subscription of the store, also one of an app, as `watch` shows it.', async () => {
        const [its, own] = [aSubscription(), aSubscription({ installationId: null, signingSecret: 'sealed' })];
        for (const one of [its, own]) {
          await subscriptions.create(one);
          const watched = (await subscriptions.watch(storeA, ALL))?.items.find(({ id }) => id === one.id);
          expect(watched).toBeDefined();
          expect(await subscriptions.find(storeA, one.id)).toEqual(watched);
        }
      });
      it('Returns null when the store has no subscription with this id.', async () => {
        const one = aSubscription();
        await subscriptions.create(one);
        expect(await subscriptions.find(storeB, one.id)).toBeNull();
        expect(await subscriptions.find(storeA, ids.nowhere)).toBeNull();
      });
    });

    describe('delete', () => {
      it("Removes the owner's subscription.", async () => {
        const added = aSubscription();
        await subscriptions.create(added);
        expect(await subscriptions.delete({ storeId: storeA, installationId: appA }, added.id)).toBe(true);
        expect(await subscriptions.list({ storeId: storeA, installationId: appA })).not.toContainEqual(
          expect.objectContaining({ id: added.id }),
        );
      });
      it('Returns false and changes nothing when the owner has no subscription with this id.', async () => {
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

      describe('while a worker delivers to it', () => {
        let identity: IdentityWorld;
        beforeAll(async () => {
          identity = await openIdentity();
        });
        afterAll(() => identity.close());
        const aStopped = async () => {
          const installation = await anInstallation(identity, (await aStore(identity)).id);
          const { statuses, whileLeased, subscription } = await aStoppable(identity, installation);
          const owner = { storeId: installation.storeId, installationId: installation.id };
          await whileLeased(() => identity.ports.subscriptions.delete(owner, subscription.subscriptionId));
          return { statuses, subscription };
        };
        it('Stops its attempts in flight and ends its queued deliveries as Dropped.', async () => {
          const { statuses } = await aStopped();
          expect(await statuses()).toEqual({ 'order.paid': 'Dropped', 'product.updated': 'Dropped' });
        });
        it('Starts no attempt after it resolves.', async () => {
          const { subscription } = await aStopped();
          expect(
            await identity.leases.acquire('deliveries', { storeId: subscription.storeId, id: subscription.subscriptionId }),
          ).toBeNull();
          expect(await identity.ports.deliveries.due(subscription, 10, [])).toEqual([]);
        });
      });
    });
  });
};
