import { expect, it } from 'vitest';

import { checkNewTarget } from '../../../src/domain/webhooks/new-target.ts';

const LOOPBACK = [{ network: Uint8Array.of(127, 0, 0, 0), prefix: 8 }];
const PUBLIC = Uint8Array.of(93, 184, 215, 14);
const HERE = Uint8Array.of(127, 0, 0, 1);
const judged = (url: string, addresses: readonly Uint8Array[] = []) =>
  checkNewTarget({ url, host: new URL(url).hostname }, addresses, LOOPBACK)?.message ?? null;

it.each(['kubernetes.default.svc', 'hooks.test', 'a.b.alt'])(
  'a new URL with the name %s is refused, unless it leads to allowed ranges alone',
  (name) => {
    const message = 'url must have a host name of the public DNS.';
    expect(judged(`https://${name}/`)).toBe(message);
    expect(judged(`https://${name}/`, [HERE, PUBLIC])).toBe(message);
    expect(judged(`https://${name}/`, [HERE])).toBeNull();
  },
);

it.each([22, 25, 6667, 10080])('a new URL with port %s is refused, unless it leads to allowed ranges alone', (port) => {
  const url = `https://hooks.example.com:${port}/`;
  expect(judged(url, [PUBLIC])).toBe(`url must not use port ${port}, which belongs to another protocol.`);
  expect(judged(url)).toMatch(/must not use port/);
  expect(judged(url, [HERE])).toBeNull();
});

it('a refusal is bad input', () => {
  const refused = checkNewTarget({ url: 'https://hooks.test/', host: 'hooks.test' }, [], []);
  expect(refused).toMatchObject({ ok: false, code: 'invalid' });
});

it.each(['https://hooks.example.com/', 'https://svc.example.com:8443/', 'https://test.com:443/', 'https://[2606:4700::1]:80/'])(
  '%s is taken',
  (url) => expect(judged(url)).toBeNull(),
);
