import { beforeEach, describe, expect, it } from 'vitest';

import { incidentLookups } from '../../../src/application/insight/incident-lookups.ts';
import type { NewIncident } from '../../../src/domain/ports/insight/incidents.ts';
import { NO_STORE } from '../../../src/domain/ports/locator.ts';
import { notFound } from '../../../src/domain/result.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const ALL = { after: null, take: 10 };

describe('the incidents', () => {
  let world: MemoryWorld;
  let storeId: string;
  const begin = async (id: string, more: Partial<NewIncident> = {}): Promise<void> => {
    const about = { storeId, kind: 'receiver_failing', subject: id, name: 'hooks.example.com' } as const;
    const since = isoTime(world.clock.now());
    await world.incidents.begin([{ id, ...about, since, impact: 3, cause: 'The last 10 attempts failed.', ...more }]);
    world.clock.advance(1_000);
  };
  beforeEach(async () => {
    world = openMemoryPorts();
    storeId = world.ids.next();
    await world.stores.create({ id: storeId, domain: 'a.test', name: 'A', currency: 'EUR' });
  });

  it('of a store say what they are about, and have the words of their kind', async () => {
    const beganAt = isoTime(world.clock.now());
    await begin('i');
    expect(await incidentLookups(world).listIncidents(storeId, {}, ALL)).toEqual({
      ok: true,
      value: {
        items: [
          {
            ...{ id: 'i', storeId, store: 'a.test', kind: 'receiver_failing', name: 'hooks.example.com', beganAt, endedAt: null },
            ...{ title: 'Receiver fails', cause: 'The last 10 attempts failed.', impact: { count: 3, of: 'deliveries' } },
            ...{ subscriptionId: 'i', installationId: null, check: null, reason: null },
          },
        ],
        next: null,
      },
    });
  });
  it('of a store are not found without the store', async () => {
    expect(await incidentLookups(world).listIncidents('nobody', {}, ALL)).toEqual(notFound('Store'));
  });
  it('of all stores and of the server come page by page, those that began last first', async () => {
    await begin('1');
    await begin('2', { kind: 'redis_away', storeId: NO_STORE });
    await begin('3');
    const page = async (after = ALL.after as { at: number; id: string } | null) => {
      const { items, next } = await incidentLookups(world).listAllIncidents({}, { after, take: 2 });
      return { ids: items.map(({ id }) => id), next };
    };
    const first = await page();
    expect(first).toEqual({ ids: ['3', '2'], next: { at: world.clock.now() - 2_000, id: '2' } });
    expect(await page(first.next)).toEqual({ ids: ['1'], next: null });
  });
  it('are those that match the filter', async () => {
    await begin('1');
    await begin('2');
    await world.incidents.end([{ id: '1', storeId }]);
    const { items } = await incidentLookups(world).listAllIncidents({ status: 'ended' }, ALL);
    expect(items.map(({ id }) => id)).toEqual(['1']);
  });
});
