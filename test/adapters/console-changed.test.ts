import { expect, it } from 'vitest';

import { changedOf } from '../../console/api/changed.ts';

const before = {
  url: 'https://one.example',
  description: null,
  eventTypes: ['order.paid'],
  filter: { path: 'status', op: 'changed' },
};

it('a form sends what differs from what it began with, and nothing else', () => {
  expect(changedOf(before, { ...before, eventTypes: [...before.eventTypes], filter: { ...before.filter } })).toEqual({});
  expect(changedOf<object>(before, { ...before, url: 'https://two.example', filter: null })).toEqual({
    url: 'https://two.example',
    filter: null,
  });
});
