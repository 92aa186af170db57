import { beforeEach, describe, expect, it } from 'vitest';

import { NO_OPTIONS } from '../../../src/domain/webhooks/subscription-options.ts';
import { DeliveryBatch } from '../../../src/application/webhooks/delivery/delivery-batch.ts';
import type { DeliveryRepository } from '../../../src/domain/ports/webhooks/delivery-repository.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const SUBSCRIPTION = 's';

describe('a batch of deliveries', () => {
  let ports: MemoryWorld;
  let storeId: string;
  /** How many ids each look-up leaves out. */
  let lookUps: number[];
  let batch: DeliveryBatch;

  const queue = async (count: number): Promise<void> => {
    const event = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
    await ports.transaction.run(null, (tx) => tx.events.append(Array.from({ length: count }, () => event)));
    await ports.deliveries.fanOut(storeId, count);
  };
  const open = (due: DeliveryRepository['due'] = ports.deliveries.due): DeliveryBatch =>
    new DeliveryBatch(
      {
        clock: ports.clock,
        deliveries: {
          ...ports.deliveries,
          due: (id, limit, taken) => {
            lookUps.push(taken.length);
            return due(id, limit, taken);
          },
        },
      },
      { storeId, subscriptionId: SUBSCRIPTION },
    );
  const take = (count: number): string[] => Array.from({ length: count }, () => batch.next()?.delivery.id ?? 'none');
  /** Takes everything that the turn may take, settling nothing. */
  const takeAll = async (): Promise<string[]> => {
    const ids: string[] = [];
    while (await batch.refill()) {
      for (let taken = batch.next(); taken; taken = batch.next()) ids.push(taken.delivery.id);
    }
    return ids;
  };

  beforeEach(async () => {
    ports = openMemoryPorts();
    lookUps = [];
    storeId = ports.ids.next();
    await ports.stores.create({ id: storeId, domain: 's.test', name: 'S', currency: 'EUR' });
    const content = {
      url: 'https://x.test',
      description: null,
      eventTypes: ['order.paid'],
      signingSecret: 'x',
      ...NO_OPTIONS,
    } as const;
    await ports.subscriptions.create({ id: SUBSCRIPTION, storeId, installationId: null, ...content });
    batch = open();
  });

  it('has nothing to send before the first look-up, nor when nothing is due', async () => {
    expect(batch.next()).toBeUndefined();
    expect(await batch.refill()).toBe(false);
    expect(batch.next()).toBeUndefined();
  });

  it('gives every due delivery once, the longest due first', async () => {
    await queue(60);
    ports.clock.advance(1000);
    await queue(60);
    const due = await ports.deliveries.due({ storeId, subscriptionId: SUBSCRIPTION }, 120, []);
    expect(await takeAll()).toEqual(due.map(({ id }) => id));
  });

  it('says when a delivery was taken, by the clock of this process', async () => {
    await queue(1);
    await batch.refill();
    const takenAt = ports.clock.now();
    ports.clock.advance(1000);
    expect(batch.next()?.takenAt).toBe(takenAt);
  });

  it('looks up 50 at a time, and begins the next look-up when 20 are left', async () => {
    await queue(80);
    await batch.refill();
    take(29);
    expect(lookUps).toEqual([0]);
    take(1);
    expect(lookUps).toEqual([0, 50]);
    expect(new Set(take(20))).not.toContain('none');
    expect(batch.next()).toBeUndefined();
    // The look-up that began ahead is the one that refills.
    expect(await batch.refill()).toBe(true);
    expect(lookUps).toEqual([0, 50]);
    // The next 30 pass the mark too.
    take(30);
    expect([batch.next(), lookUps]).toEqual([undefined, [0, 50, 80]]);
  });

  it('leaves out what is taken and not settled, and finds again what is settled and due', async () => {
    await queue(1);
    await batch.refill();
    const [id] = take(1);
    expect(await batch.refill()).toBe(false);
    batch.settled(id!);
    expect(await batch.refill()).toBe(true);
    expect(take(1)).toEqual([id]);
  });

  it('takes 1,000 in a turn', async () => {
    await queue(1_200);
    expect(new Set(await takeAll()).size).toBe(1_000);
    // Twenty look-ups, and none for the answer that nothing is left.
    expect(lookUps).toHaveLength(20);
  });

  it('begins no look-up after five seconds', async () => {
    await queue(60);
    await batch.refill();
    take(25);
    ports.clock.advance(5_000);
    take(25);
    expect(await batch.refill()).toBe(false);
    expect(lookUps).toHaveLength(1);
  });

  it('an error of a look-up that began ahead is reported where the batch is refilled', async () => {
    await queue(60);
    let failing = false;
    batch = open((...args) => (failing ? Promise.reject(new Error('no database')) : ports.deliveries.due(...args)));
    await batch.refill();
    failing = true;
    take(50);
    // Until then nobody waits for it: unhandled, it would end the process.
    await new Promise((resolve) => setImmediate(resolve));
    await expect(batch.refill()).rejects.toThrow('no database');
    await batch.close();
  });

  it('close waits for a look-up that runs', async () => {
    await queue(60);
    let answer = (): void => undefined;
    batch = open(async (...args) => {
      if (lookUps.length > 1) await new Promise<void>((resolve) => (answer = resolve));
      return ports.deliveries.due(...args);
    });
    await batch.refill();
    take(30);
    let closed = false;
    const closing = batch.close().then(() => (closed = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    answer();
    await closing;
  });
});
