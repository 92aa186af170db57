import request from 'supertest';
import { expect, it } from 'vitest';

import { FailedTokens } from '../../src/adapters/http/serving/admit/failed-tokens.ts';
import { trustsProxies } from '../../src/adapters/http/serving/listener/host.ts';
import { tokenRoute } from '../../src/adapters/http/identity/tokens.ts';
import { admitApps } from '../../src/adapters/http/serving/admit/admit-app.ts';
import { bearerCredential } from '../../src/adapters/http/serving/admit/app-admission.ts';
import { decideRateLimit } from '../../src/domain/identity/rate-limit.ts';
import { formatCredential } from '../../src/domain/identity/token.ts';
import { memoryApplication, memoryHttpApp } from '../support/http-app.ts';

const CLIENT_ID = formatCredential('clientId', Buffer.alloc(16, 1));
const CLIENT_SECRET = formatCredential('clientSecret', Buffer.alloc(32, 2));

/**
 * The endpoint on a limiter that keeps the keys it counts, and refuses an address after its
 * `limit`-th request.
 */
const open = (limit = 100) => {
  const keys: string[] = [];
  const application = memoryApplication();
  const limiter = {
    consume: async (bucket: string, key: string) => {
      keys.push(`${bucket} ${key}`);
      return decideRateLimit({ limit, windowSeconds: 60 }, keys.length, 30_000);
    },
  };
  const failures = new FailedTokens({ policy: { limit: 1, windowSeconds: 1 } });
  const admit = admitApps({ credential: bearerCredential(application), failures, trusts: trustsProxies([]) });
  const http = memoryHttpApp({ application, admit, limiter, routes: [tokenRoute] });
  const send = (client_id: string) =>
    request(http)
      .post('/apps/token')
      .type('form')
      .send({ grant_type: 'client_credentials', client_id, client_secret: CLIENT_SECRET });
  return { keys, send };
};

it.each([
  ['16 KB', 'x'.repeat(16_000)],
  ['a client id with a wrong checksum', `${CLIENT_ID.slice(0, -1)}${CLIENT_ID.endsWith('0') ? '1' : '0'}`],
  ['a secret in its place', CLIENT_SECRET],
])('401 with an empty body for a client_id of %s, which is counted only for its address', async (_title, clientId) => {
  const { keys, send } = open();
  const answer = await send(clientId);
  expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([401, '', 'no-store']);
  expect(answer.headers['www-authenticate']).toBe('Basic realm="token", charset="UTF-8"');
  expect(keys).toEqual([expect.stringMatching(/^token-address \S+$/)]);
});

it('a wrong secret of a well-formed client_id is counted under the hash of that and the address', async () => {
  const { keys, send } = open();
  expect((await send(CLIENT_ID)).status).toBe(401);
  expect(keys).toEqual([expect.stringMatching(/^token-address /), expect.stringMatching(/^token-failures [\w-]{43} \S+$/)]);
  expect(keys.join()).not.toContain(CLIENT_ID);
});

it('429 for an address over its limit, with any client_id', async () => {
  const { send } = open(2);
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await send('x')).status);
  expect(statuses).toEqual([401, 401, 429]);
});

it.each([
  [
    'JSON',
    { type: 'json', body: { grant_type: 'client_credentials', client_id: CLIENT_ID } },
    'invalid_request',
    'Content-Type must be',
  ],
  ['another grant', { type: 'form', body: { grant_type: 'password' } }, 'unsupported_grant_type', 'grant_type must be'],
  ['no secret', { type: 'form', body: { grant_type: 'client_credentials' } }, 'invalid_request', 'client_id and client_secret'],
] as const)(
  'the challenge of the empty 401 says what is wrong with the form: %s',
  async (_, { type, body }, error, description) => {
    const application = memoryApplication();
    const failures = new FailedTokens({ policy: { limit: 1, windowSeconds: 1 } });
    const admit = admitApps({ credential: bearerCredential(application), failures, trusts: trustsProxies([]) });
    const http = memoryHttpApp({ application, admit, routes: [tokenRoute] });
    const answer = await request(http).post('/apps/token').type(type).send(body);
    expect([answer.status, answer.text]).toEqual([401, '']);
    expect(answer.headers['www-authenticate']).toContain(`error="${error}", error_description="${description}`);
    expect(answer.headers['www-authenticate']).not.toContain(CLIENT_ID);
  },
);
