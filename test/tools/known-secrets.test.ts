import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';

import { createKnownSecrets } from '../campaigns/hostile/support/known-secrets.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const other = `whsec_${randomBytes(32).toString('base64')}`;
const secrets = createKnownSecrets();
secrets.rememberAll(`{"id":"019a0000-0000-7000-8000-000000000001","signingSecret":"${secret}"}`);

it('a secret that an answer shows is remembered', () => {
  expect(secrets.size()).toBe(1);
});

it.each([
  ['plain', secret],
  ['cut at its end', secret.slice(0, 40)],
  ['in a path', encodeURIComponent(secret)],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in hex', Buffer.from(secret).toString('hex')],
  ['hashed', createHash('sha256').update(secret).digest('hex')],
])('a remembered secret is found %s', (_form, text) => {
  expect(secrets.leaksIn(`{"level":"info","text":"x${text}"}`)).toEqual([`${secret.slice(0, 10)}...`]);
});

it.each([other, '019a0000-0000-7000-8000-000000000001', 'x'.repeat(1_000), ''])('nothing is found in %s', (text) => {
  expect(secrets.leaksIn(text)).toEqual([]);
});
