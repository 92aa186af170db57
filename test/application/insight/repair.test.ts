import { beforeEach, describe, expect, it, vi } from 'vitest';

import { repair } from '../../../src/application/insight/verify.ts';
import { REPAIR_DELIVERS_SECONDS } from '../../../src/domain/insight/invariants.ts';
import { NO_OPTIONS } from '../../../src/domain/webhooks/subscription-options.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { createMemoryState } from '../../memory/state.ts';
import { deliveriesOf } from '../../memory/webhooks/delivery-tables.ts';
import { placesOf } from '../../memory/webhooks/event-feed.ts';

describe('a repair', () => {
  let world: MemoryWorld;
  let storeId: string;
  let subscriptionId: string;
  /** Loses the place of an event and its deliveries. */
  let breakEvent: () => Promise<void>;
  beforeEach(async () => {
    const state = createMemoryState();
    world = openMemoryPorts({}, state);
    [storeId, subscriptionId] = [world.ids.next(), world.ids.next()];
    await world.stores.create({ id: storeId, domain: 'a.test', name: 'A', currency: 'EUR' });
    const content = { url: 'https://hooks.example.com/it', description: null, eventTypes: ['order.paid'] as const };
    const owned = { storeId, installationId: null, signingSecret: 'sealed' };
    await world.subscriptions.create({ id: subscriptionId, ...owned, ...content, ...NO_OPTIONS });
    breakEvent = async () => {
      const order = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
      await world.transaction.run(null, (tx) => tx.events.append([order]));
      await world.deliveries.fanOut(storeId, 1);
      placesOf(state).clear();
      deliveriesOf(state).clear();
    };
  });

  it('restores what is broken, and has it read and sent', async () => {
    await breakEvent();
    const announce = vi.spyOn(world.feedSignal, 'announce');
    const wake = vi.spyOn(world.deliveryQueue, 'wake');
    const invariant = 'events_placed';
    expect(await repair(world)(invariant, null)).toEqual({ ok: true, value: { invariant, counted: 1, repaired: 1, next: null } });
    expect(announce.mock.calls).toEqual([[storeId]]);
    expect(wake.mock.calls).toEqual([[[{ storeId, subscriptionId }]]]);
    expect((await world.invariants.check('events_placed', 10, 550))?.violated).toBe(0);
  });
  it('sends nothing of an event that is older than a day', async () => {
    await breakEvent();
    world.clock.advance(REPAIR_DELIVERS_SECONDS * 1_000);
    const wake = vi.spyOn(world.deliveryQueue, 'wake');
    expect(await repair(world)('events_placed', null)).toMatchObject({ value: { repaired: 1 } });
    expect(wake.mock.calls).toEqual([[[]]]);
  });
  it('is refused where it is to continue behind a text that is not a place', async () => {
    expect(await repair(world)('events_placed', 'x')).toEqual({
      ok: false,
      code: 'invalid',
      message: 'after must be the value of `next` of an earlier page',
    });
  });
});
