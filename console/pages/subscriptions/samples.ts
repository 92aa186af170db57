import type { z } from 'zod';

import type { merchantEvent } from '../../../src/adapters/http/schemas/merchant-event.ts';

/** The types that the merchant's systems send. The others follow from a change in the store. */
export type OrderType = z.output<typeof merchantEvent>['type'];

const LINES = [{ sku: 'SAW-280', name: 'Dovetail saw', quantity: 1, price: 62.5 }];

/** What is particular to each type. */
const SAMPLES: Readonly<Record<OrderType, Readonly<Record<string, unknown>>>> = {
  'order.created': { status: 'created', lines: LINES },
  'order.paid': { status: 'paid', lines: LINES, payment: { method: 'card', reference: 'pay-1001' } },
  'order.shipped': { status: 'shipped', shipment: { carrier: 'post', trackingNumber: 'TN-1001' } },
  'order.cancelled': { status: 'cancelled', reason: 'The customer changed their mind.' },
  'order.refunded': { status: 'refunded', refund: { amount: 62.5, reason: 'Damaged in transit.' } },
};

export const ORDER_TYPES = Object.keys(SAMPLES) as OrderType[];

/** The data of an event as JSON to change, with an order id of its own. */
export const sampleOf = (type: OrderType): string =>
  JSON.stringify({ id: `test-${Date.now().toString(36)}`, total: 62.5, currency: 'EUR', ...SAMPLES[type] }, null, 2);
