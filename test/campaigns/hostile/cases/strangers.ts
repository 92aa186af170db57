import pg from 'pg';

import type { Case } from '../support/campaign.ts';
import { each } from '../support/attacker.ts';
import { asAdmin, openSite, type Site } from '../support/site.ts';

const HOST = 'shop.strangers.test';
const HOLDER = '203.0.113.1';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const REDIRECT = 'https://app.example.com/installed';
/** The limits as they are without a setting. */
const LIMITS = {
  TRUSTED_PROXIES: '127.0.0.1',
  TOKEN_RATE_LIMIT_PER_SECOND: '1',
  TOKEN_RATE_LIMIT_BURST: '120',
  TOKEN_APP_RATE_LIMIT_PER_SECOND: '100',
  TOKEN_APP_RATE_LIMIT_BURST: '6000',
  TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: '20',
};

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

const aClient = async (site: Site, scopes: readonly string[]): Promise<Client> => {
  const app = { name: 'App', redirectUrls: [REDIRECT], scopes, optionalScopes: [] };
  const made = { wanted: [201], makesSecrets: true };
  return JSON.parse((await asAdmin(site)('POST', '/admin/platform-apps', app, made)).body) as Client;
};

const askToInstall = async (site: Site, { clientId }: Client, from: string, wanted: readonly number[]): Promise<string> => {
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: REDIRECT, state: 'x'.repeat(1_024) });
  const { headers } = await site.attacker.send({
    what: 'an install request',
    base: site.url,
    method: 'GET',
    path: `/apps/install?${query.toString()}`,
    headers: { host: HOST, 'x-forwarded-for': from },
    wanted,
  });
  return new URL(String(headers['location'] ?? 'https://none.test/')).searchParams.get('request') ?? '';
};

const tokenRequest = (site: Site, { clientId, clientSecret }: Client, from: string, wanted: readonly number[]) =>
  site.attacker.send({
    what: 'a token request',
    base: site.url,
    method: 'POST',
    path: '/apps/token',
    headers: { host: HOST, 'x-forwarded-for': from, ...FORM },
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }).toString(),
    wanted,
    makesSecrets: wanted.includes(200),
  });

/** Rows that strangers could have written. */
const rowsOf = async (site: Site): Promise<number> => {
  const client = new pg.Client({ connectionString: site.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM install_requests');
  await client.end();
  return rows[0]?.n ?? -1;
};

/** Strangers know only the public client id of the app. The limits are the default ones. */
export const strangers: Case = {
  about:
    'Strangers who know the client id of a platform app send wrong secrets and install requests. Its holder is served as before.',
  run: async ({ environment, attacker, short }) => {
    const site = await openSite(environment, attacker, LIMITS);
    const admin = asAdmin(site);
    await admin('POST', '/admin/stores', { domain: HOST, name: 'Shop', currency: 'EUR' }, { wanted: [201] });
    const [holder, other] = [await aClient(site, ['read_products']), await aClient(site, ['read_products'])];
    const [addresses, requests] = short ? [10, 200] : [100, 5_000];
    const from = (n: number): string => `198.51.100.${String(n % addresses)}`;
    const all = Array.from({ length: requests }, (_, n) => n);

    const merchants = await askToInstall(site, holder, HOLDER, [302]);
    await each(all, (n) => askToInstall(site, holder, from(n), [302, 429]));
    const rows = await rowsOf(site);
    if (rows !== 0) attacker.violate('wrong answer', `strangers wrote ${rows} install requests`);
    await admin('POST', `/admin/install-requests/${merchants}/accept`, {}, { wanted: [200] });

    const wrong = { clientId: holder.clientId, clientSecret: other.clientSecret };
    let served = 0;
    await each(all, async (n) => {
      await tokenRequest(site, wrong, from(n), [401, 429]);
      // Fewer than the store may have.
      if (n % (requests / 100) !== 0) return;
      await tokenRequest(site, holder, `203.0.113.${String(n % 200)}`, [200]);
      served += 1;
    });
    await site.stop();
    return {
      'install requests and wrong secrets of strangers': 2 * requests,
      'rows that they wrote': rows,
      'right secrets, all served': served,
    };
  },
};
