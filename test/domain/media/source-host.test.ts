import { expect, it } from 'vitest';

import { sourceHost } from '../../../src/domain/media/source-host.ts';

it.each([
  ['https://images.test/a.png', 'images.test'],
  ['HTTP://Images.TEST:8443?a#b', 'images.test:8443'],
  ['https://images.test\\a', 'images.test'],
  ['https://[::1]:8443/a', '[::1]:8443'],
  ['not a url', ''],
])('the host of %s is %j', (url, host) => {
  expect(sourceHost(url)).toBe(host);
});
