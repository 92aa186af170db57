import { beforeEach, describe, expect, it } from 'vitest';

import { searchOwn } from '../../../src/application/insight/search.ts';
import type { Scope } from '../../../src/domain/identity/scope.ts';
import { NO_OPTIONS } from '../../../src/domain/webhooks/subscription-options.ts';
import { claimKey } from '../../support/claim-key.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const ALL: readonly Scope[] = ['write_products', 'read_webhooks', 'read_orders'];

describe('the search of an app', () => {
  let world: MemoryWorld;
  let storeId: string;
  let mine: string;
  let other: string;
  const install = async (): Promise<string> => {
    const id = world.ids.next();
    const secrets = {
      clientSecret: { id: world.ids.next(), hash: 'hash' },
      signingSecret: { id: world.ids.next(), sealed: 'sealed' },
    };
    await world.installations.create({ id, storeId, name: 'App', clientId: id, scopes: [...ALL], ...secrets });
    return id;
  };
  const subscribe = async (installationId: string): Promise<string> => {
    const id = world.ids.next();
    const content = { url: 'https://hooks.example.com/it', description: 'Warehouse', eventTypes: ['order.paid'] as const };
    await world.subscriptions.create({ id, storeId, installationId, signingSecret: null, ...content, ...NO_OPTIONS });
    return id;
  };
  const find = async (text: string, scopes = ALL, installationId = mine) =>
    (await searchOwn(world)({ storeId, installationId, scopes }, text)).map(({ kind, id, title }) => [kind, id, title]);
  const refuse = async (installationId: string): Promise<string> => {
    const id = world.ids.next();
    const why = { status: 403, code: 'forbidden', reason: 'needs read_orders', check: 'scope' } as const;
    const asked = { route: 'GET /apps/events', host: 'a.test', durationMs: 1, leftOut: 0, at: world.clock.now() };
    await world.requestLog.write([{ id, storeId, installationId, ...why, ...asked }]);
    return id;
  };

  beforeEach(async () => {
    world = openMemoryPorts();
    storeId = world.ids.next();
    await world.stores.create({ id: storeId, domain: 'a.test', name: 'A', currency: 'EUR' });
    mine = await install();
    other = await install();
  });

  it('finds an event and its own deliveries about a resource, and each by its id', async () => {
    const [own, theirs] = [await subscribe(mine), await subscribe(other)];
    const order = { storeId, type: 'order.paid', resourceId: 'order-1', origin: null, data: { id: 'order-1' } } as const;
    const [eventId = ''] = await world.transaction.run(null, (tx) => tx.events.append([order]));
    await world.deliveries.fanOut(storeId, 10);
    const page = await world.deliveryLog.list(storeId, {}, { after: null, take: 10 });
    const idTo = (to: string) => page?.items.find(({ subscriptionId }) => subscriptionId === to)?.id ?? expect.fail('none');
    expect(await find('order-1')).toEqual([['delivery', idTo(own), 'order.paid']]);
    expect(await find(idTo(own))).toEqual([['delivery', idTo(own), 'order.paid']]);
    expect(await find(idTo(theirs))).toEqual([]);
    expect(await find(eventId)).toEqual([['event', eventId, 'order.paid']]);
    expect(await find(eventId, ['read_webhooks'])).toEqual([]);
    expect(await find('order-1', ['read_orders'])).toEqual([]);
    expect(await find(idTo(own), ['read_orders'])).toEqual([]);
  });

  it('finds its own subscriptions by a part of the URL or description, with the scope', async () => {
    const own = await subscribe(mine);
    await subscribe(other);
    expect(await find('wareh')).toEqual([['subscription', own, 'https://hooks.example.com/it']]);
    expect(await find('wareh', ['read_orders'])).toEqual([]);
  });

  it('finds its own refused requests and keys, with any scope', async () => {
    const [own, theirs] = [await refuse(mine), await refuse(other)];
    expect(await find(own, [])).toEqual([['request', own, '403 GET /apps/events']]);
    expect(await find(theirs, [])).toEqual([]);
    await claimKey(world, { storeId, installationId: mine, key: 'first' }, 'print');
    expect(await find('first', [])).toEqual([['key', 'first', 'first']]);
    expect(await find('first', [], other)).toEqual([]);
    expect(await find('ключ', [])).toEqual([]);
  });

  it('finds at most 20 of everything together', async () => {
    await subscribe(mine);
    const order = { storeId, type: 'order.paid', resourceId: 'ware', origin: null, data: {} } as const;
    await world.transaction.run(null, (tx) => tx.events.append(Array.from({ length: 20 }, () => order)));
    expect(await find('ware')).toHaveLength(1);
    await world.deliveries.fanOut(storeId, 20);
    const kinds = (await find('ware')).map(([kind]) => kind);
    expect(kinds).toEqual(Array.from({ length: 20 }, () => 'delivery'));
  });

  it('finds nothing where the store was erased meanwhile', async () => {
    expect(await searchOwn(world)({ storeId: other, installationId: mine, scopes: ALL }, 'ware')).toEqual([]);
  });
});
