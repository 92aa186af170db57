import { describe, expect, it } from 'vitest';

import type { DeliveryHistory, EventRow, History, Rows } from '../campaigns/faults/history.ts';
import { aDelivery, anEnd, anUpdate, aProduct, aSubscription, broken, PRODUCT } from './histories.ts';

const [first, second] = [anUpdate('k/0', null, { position: 1 }), anUpdate('k/1', 'k/0', { position: 2 })];
const events = [first, second];

/** Judges these deliveries by the rules of options. */
const found = (history: Partial<History>, rows: Partial<Rows> = {}): string[] =>
  broken(history, { events, ...rows }).filter((rule) => /order|gather|filter|by two|copy/.test(rule) && !rule.startsWith('feed'));

describe('a subscription with an order', () => {
  const arrived = (...list: readonly EventRow[]) =>
    found({
      subscriptions: [aSubscription({ option: 'order' })],
      deliveries: list.map((event, at) => ({ ...aDelivery(event), at })),
    });
  it('gets the events of a resource in the order of the feed', () => {
    expect(arrived(first, second)).toEqual([]);
    expect(arrived(second, first)).toEqual(['delivered out of order']);
  });
  it('may get one again after the next, and those of another resource at any time', () => {
    expect(arrived(first, second, first)).toEqual([]);
    expect(arrived(second, anUpdate('k/2', null, { position: 1, resourceId: 'another' }))).toEqual([]);
  });
});

describe('a subscription that gathers', () => {
  const data = (...list: readonly EventRow[]) =>
    JSON.stringify({ data: { id: PRODUCT, gathered: list.length, events: list.map(({ id }) => id) } });
  const both: DeliveryHistory = { ...aDelivery(second), body: data(first, second) };
  const arrived = (deliveries: readonly DeliveryHistory[], more: Partial<Rows> = {}) =>
    found({ subscriptions: [aSubscription({ option: 'gather' })], deliveries: [...deliveries] }, more);
  it('gets the same bytes at each attempt', () => {
    expect(arrived([both, both])).toEqual([]);
    expect(arrived([both, { ...both, body: `${both.body} ` }])).toEqual(['gathered wrongly']);
    expect(arrived([{ ...both, signed: false }])).toEqual(['gathered wrongly']);
  });
  it('gets recorded events of one resource', () => {
    expect(arrived([both], { events: [second] })).toEqual(['gathered wrongly']);
    expect(arrived([both], { events: [{ ...first, resourceId: 'another' }, second] })).toEqual(['gathered wrongly']);
  });
  it('gets each event in one delivery', () => {
    expect(arrived([aDelivery(first), both])).toEqual(['gathered wrongly']);
  });
});

describe('a subscription whose receiver keeps a copy', () => {
  const bringing = (event: EventRow, name: string, at: number): DeliveryHistory => ({
    ...aDelivery(event),
    body: event.body.replace(/}}$/, `,"product":{"id":"${PRODUCT}","name":"${name}"}}}`),
    at,
  });
  const arrived = (...deliveries: readonly DeliveryHistory[]) =>
    found(
      { subscriptions: [aSubscription({ option: 'copy' })], deliveries: [...deliveries] },
      { products: [aProduct('k/1')], shown: new Map([[PRODUCT, { id: PRODUCT, name: 'now' }]]) },
    );
  it('was last sent what is stored, and may get an older body again', () => {
    const [older, newer] = [bringing(first, 'then', 1), bringing(second, 'now', 2)];
    expect(arrived(older, newer)).toEqual([]);
    expect(arrived(older, newer, { ...older, at: 3 })).toEqual([]);
    expect(arrived(older)).toEqual(['copy differs']);
  });
  it('hears how much each warehouse changed of the total', () => {
    const moved = (by: number) => {
      const warehouses = [{ productVariantId: 'v', previous: { available: 0 }, current: { available: by } }];
      const data = { id: PRODUCT, variants: [{ productVariantId: 'v', previous: 1, current: 3 }], warehouses };
      return found({}, { events: [anEnd({ id: 'stock', type: 'inventory.updated', body: JSON.stringify({ data }) })] });
    };
    expect([moved(2), moved(1)]).toEqual([[], ['copy differs']]);
  });
});

describe('a subscription that filters', () => {
  it('gets nothing that its own app has done, but a ping', () => {
    const own = { ...first, origin: 'app' };
    const ping = anEnd({ id: 'ping', type: 'ping', origin: 'app' });
    const subscriptions = [aSubscription({ option: 'filter', installationId: 'app' })];
    const arrived = (event: EventRow) =>
      found({ subscriptions, deliveries: [aDelivery(event)] }, { events: [own, second, ping] });
    expect([arrived(second), arrived(ping), arrived(own)]).toEqual([[], [], ['not filtered']]);
  });
});

describe('a subscription that takes the place of another', () => {
  const subscriptions = ['old', 'new'].map((id) => aSubscription({ id, line: 'old', option: 'replaced' }));
  it('has what the other one has not', () => {
    const row = (subscriptionId: string, { id }: EventRow) => ({ subscriptionId, eventId: id });
    expect(found({ subscriptions }, { deliveries: [row('old', first), row('new', second)] })).toEqual([]);
    expect(found({ subscriptions }, { deliveries: [row('old', first), row('new', first)] })).toEqual(['delivered by two']);
  });
});
