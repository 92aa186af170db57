import { expect, it } from 'vitest';

import { receiverName } from '../../../src/domain/webhooks/receiver.ts';

it.each([
  ['Stock sync', 'https://hooks.test/x', 'Stock sync'],
  ['  Stock sync ', 'https://hooks.test/x', 'Stock sync'],
  [null, 'https://hooks.test/x', 'hooks.test/x'],
  ['', 'https://hooks.test/x', 'hooks.test/x'],
  ['  ', 'https://hooks.test:8443/', 'hooks.test:8443'],
  [null, 'https://hooks.test/x/y?token=secret', 'hooks.test/x/y'],
])('a receiver is called by its description, or by where it is, without the query: %j at %s', (description, url, name) => {
  expect(receiverName({ description, url })).toBe(name);
});
