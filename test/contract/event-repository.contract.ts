import { afterAll, describe, expect, it } from 'vitest';

import type { Cause } from '../../src/domain/cause.ts';
import { beforeAll } from './hooks.ts';
import type { World } from './worlds.ts';

export const eventRepositoryContract = (name: string, open: () => Promise<World>): void => {
  describe(`EventRepository on ${name}`, () => {
    let world: World;
    let storeId: string;
    beforeAll(async () => {
      world = await open();
      storeId = await world.aStore();
    });
    afterAll(() => world.close());

    describe('append', () => {
      it('Writes nothing for an empty list.', async () => {
        await world.ports.transaction.run(null, (tx) => tx.events.append([]));
        expect(await world.events()).toEqual([]);
      });
      it('Records the events in the given order, each with its frozen body.', async () => {
        const data = { id: 'r', name: 'Löwe “x”' };
        await world.ports.transaction.run(null, (tx) =>
          tx.events.append([
            { storeId, type: 'product.updated', resourceId: 'r', origin: null, data },
            { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} },
          ]),
        );
        const events = await world.events();
        expect(events.map(({ type }) => type)).toEqual(['product.updated', 'order.paid']);
        expect(JSON.parse(events[0]?.body ?? '')).toEqual({
          id: expect.any(String) as string,
          type: 'product.updated',
          timestamp: '2026-01-01T00:00:00.000Z',
          storeId,
          data,
        });
      });
      it('Returns their ids in that order.', async () => {
        const id = '00000000-0000-4000-8000-0000000000aa';
        const event = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
        const ids = await world.ports.transaction.run(null, (tx) => tx.events.append([event, { ...event, id }]));
        expect(ids).toEqual([expect.any(String), id]);
        expect((await world.events()).map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual(
          expect.arrayContaining([...ids]),
        );
      });
      it('Keeps the id of the request that is the cause.', async () => {
        const event = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
        const requestId = '00000000-0000-4000-8000-0000000000cc';
        const requestOf = async (cause: Cause): Promise<string | null> => {
          const [id] = await world.ports.transaction.run(cause, (tx) => tx.events.append([event]));
          return (await world.events()).find(({ body }) => (JSON.parse(body) as { id: string }).id === id)?.requestId ?? null;
        };
        expect([await requestOf({ requestId }), await requestOf(null)]).toEqual([requestId, null]);
      });
      it('Keeps the trace of that request.', async () => {
        const event = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
        const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
        await world.ports.transaction.run({ requestId: null, traceparent }, (tx) => tx.events.append([event]));
        expect(await world.ports.deliveries.fanOut(storeId, 1_000)).toMatchObject({ traceparents: [traceparent] });
      });
      it('Leaves each event waiting for its fan-out.', async () => {
        const event = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
        await world.ports.deliveries.fanOut(storeId, 1_000);
        await world.ports.transaction.run(null, (tx) => tx.events.append([event, event]));
        expect(await world.ports.deliveries.fanOut(storeId, 1_000)).toMatchObject({ events: 2 });
      });
      it('Writes nothing for an event whose id the store already has.', async () => {
        const event = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
        const id = '00000000-0000-4000-8000-0000000000bb';
        await world.ports.transaction.run(null, (tx) => tx.events.append([{ ...event, id }]));
        const before = await world.events();
        const again = { ...event, id, type: 'order.shipped' as const };
        expect(await world.ports.transaction.run(null, (tx) => tx.events.append([again]))).toEqual([id]);
        expect(await world.events()).toEqual(before);
      });
    });
  });
};
