import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';

import { tokenRoute } from '../../src/adapters/http/identity/tokens.ts';
import { admitApps } from '../../src/adapters/http/serving/admit/admit-app.ts';
import { bearerCredential } from '../../src/adapters/http/serving/admit/app-admission.ts';
import { FailedTokens } from '../../src/adapters/http/serving/admit/failed-tokens.ts';
import { trustsProxies } from '../../src/adapters/http/serving/listener/host.ts';
import { parseConfig, type Config } from '../../src/adapters/wiring/settings/config.ts';
import { rateLimitPolicies } from '../../src/adapters/wiring/settings/derived-settings.ts';
import { limitedBy } from '../../src/domain/identity/limited-by.ts';
import { formatCredential } from '../../src/domain/identity/token.ts';
import { memoryApplication, memoryHttpApp } from '../support/http-app.ts';

/** 10,000 stores in 10 minutes renew at this rate. */
const RENEWALS_A_SECOND = 17;
const SECONDS = 8;
const STRANGERS = 100;
const WRONG_A_SECOND = 3;
const WRONG = formatCredential('clientSecret', Buffer.alloc(32, 7));

/** Fixed windows on a clock that the test sets. */
const simulated = () => {
  const world = { now: 0 };
  const config = parseConfig({});
  if (!config.ok) throw new Error(config.message);
  const limiter = limitedBy(rateLimitPolicies(config.value as Config), (_bucket, windowSeconds) => {
    const windows = new Map<string, { consumedPoints: number; endsAt: number }>();
    return {
      consume: async (key) => {
        const known = windows.get(key);
        const open = known && known.endsAt > world.now ? known : { consumedPoints: 0, endsAt: world.now + windowSeconds * 1_000 };
        open.consumedPoints += 1;
        windows.set(key, open);
        return { consumedPoints: open.consumedPoints, msBeforeNext: open.endsAt - world.now };
      },
    };
  });
  return { world, limiter };
};

const application = memoryApplication();
const { world, limiter } = simulated();
const trusts = trustsProxies(['127.0.0.1']);
const failures = new FailedTokens({ policy: { limit: 1, windowSeconds: 1 } });
const admit = admitApps({ credential: bearerCredential(application), failures, trusts });
const server = createServer(memoryHttpApp({ application, admit, limiter, routes: [tokenRoute] }));
const listening = new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
});
afterAll(() => void server.close());

const installed = async (stores: number) => {
  const redirectUrl = 'https://app.test/installed';
  const made = await application.createPlatformApp({
    name: 'App',
    redirectUrls: [redirectUrl],
    scopes: ['read_products'],
    optionalScopes: [],
    eventUrl: null,
  });
  if (!made.ok) throw new Error(made.message);
  const { clientId, clientSecret } = made.value;
  const domains = Array.from({ length: stores }, (_, n) => `s${String(n)}.test`);
  for (const domain of domains) {
    await application.createStore({ domain });
    const asked = await application.requestInstall(domain, { clientId, redirectUrl, scope: '', state: null });
    if (!asked.ok) throw new Error(asked.message);
    const accepted = await application.acceptInstall(new URL(asked.value).searchParams.get('request') ?? '');
    if (!accepted.ok) throw new Error(accepted.message);
  }
  return { clientId, clientSecret, domains };
};

it('all stores of a platform app renew from one address, while 100 addresses send wrong secrets for its client id', async () => {
  const { clientId, clientSecret, domains } = await installed(RENEWALS_A_SECOND * SECONDS);
  const url = `http://127.0.0.1:${String(await listening)}/apps/token`;
  const send = async (host: string, from: string, secret: string): Promise<number> => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret });
    const headers = { 'X-Forwarded-For': from, 'X-Forwarded-Host': host };
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  const right: number[] = [];
  const wrong = new Set<number>();
  for (let second = 0; second < SECONDS; second += 1) {
    world.now = second * 1_000;
    for (let n = 0; n < STRANGERS; n += 1) {
      const from = `198.51.100.${String(n)}`;
      const sent = Array.from({ length: WRONG_A_SECOND }, () => send(domains[n] ?? '', from, WRONG));
      for (const status of await Promise.all(sent)) wrong.add(status);
    }
    const renewing = domains.slice(second * RENEWALS_A_SECOND, (second + 1) * RENEWALS_A_SECOND);
    right.push(...(await Promise.all(renewing.map((domain) => send(domain, '203.0.113.1', clientSecret)))));
  }
  expect(right).toEqual(domains.map(() => 200));
  expect([...wrong]).toEqual([401]);
});
