import { describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import {
  contentAfter,
  parseEdit,
  parseSubscription,
  type SubscriptionContent,
  type SubscriptionEdit,
  type SubscriptionInput,
} from '../../../src/domain/webhooks/subscription.ts';

const OPTIONS = {
  filter: { origin: 'not_self' },
  fields: ['id'],
  order: 'resource',
  gather: { quietSeconds: 5, maxSeconds: 60 },
  include: null,
} as const;
const created: SubscriptionInput = { url: 'https://a.test/x', eventTypes: ['product.updated'], ...OPTIONS };

it('a new subscription has the options that are given', () => {
  expect(parseSubscription(created, null, EVENT_FIELDS)).toMatchObject({ ok: true, value: OPTIONS });
});

it.each([
  ['filter', { filter: { all: [] } }, 'filter: all must not be empty.'],
  ['list of fields', { fields: [] }, 'fields must not be empty.'],
])('a new subscription or an edit with a wrong %s is refused', (_, wrong, message) => {
  expect(parseSubscription({ ...created, ...wrong }, null, EVENT_FIELDS)).toMatchObject({ ok: false, message });
  expect(parseEdit(wrong)).toMatchObject({ ok: false, message });
});

describe('an edit of a subscription', () => {
  const before = { url: 'https://a.test/x', eventTypes: ['product.updated'], description: 'a', ...OPTIONS } as const;

  it('that gives nothing changes nothing', () => {
    expect(parseEdit({})).toEqual({ ok: true, value: { target: null } });
    expect(contentAfter(before, {})).toEqual(before);
  });
  it('changes everything that it gives', () => {
    const after: SubscriptionContent = {
      url: 'https://b.test/',
      eventTypes: ['inventory.updated'],
      description: 'b',
      filter: { path: 'id', op: 'exists' },
      fields: ['origin'],
      order: null,
      gather: { quietSeconds: 1, maxSeconds: 2 },
      include: ['product'],
    };
    expect(contentAfter(before, after)).toEqual(after);
  });
  it('removes what it gives as null', () => {
    const removed = { description: null, filter: null, fields: null, order: null, gather: null, include: null };
    expect(parseEdit(removed)).toEqual({ ok: true, value: { ...removed, target: null } });
    expect(contentAfter(before, removed)).toEqual({ ...before, ...removed });
  });
  it('has the target of a new URL', () => {
    const target = { host: 'b.test', secure: true, url: 'https://B.test/y' };
    expect(parseEdit({ url: target.url })).toMatchObject({ ok: true, value: { url: target.url, target } });
  });
  it.each<[SubscriptionEdit, string]>([
    [{ url: 'https://localhost/' }, 'url must not have a local host name.'],
    [{ eventTypes: ['order.lost'] }, 'Unknown event type: order.lost.'],
    [{ description: 'x'.repeat(257) }, 'description must have at most 256 characters.'],
  ])('is refused by the rules of a new one', (edit, message) => {
    expect(parseEdit(edit)).toMatchObject({ ok: false, message });
  });
});
