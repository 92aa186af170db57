import { randomUUID } from 'node:crypto';

import { ADMIN_TOKEN, SECRET_KEYS, startTenon, type Tenon } from '../../../../bench/support/tenon.ts';
import type { Environment } from './campaign.ts';
import type { Answer, Attacker, Attack } from './attacker.ts';

/** A server under fire, on a database of its own. */
export interface Site extends Pick<Tenon, 'url' | 'adminUrl' | 'pid'> {
  readonly attacker: Attacker;
  readonly databaseUrl: string;
  /** MB, at most so far. */
  readonly peakRss: () => number;
  readonly rss: () => number;
  stop(): Promise<void>;
}

const SAMPLE_MS = 100;
/**
 * Requests that come in thousands from one address are the subject here, not the limits on them.
 */
const UNLIMITED = '1000000';
const ENV = {
  WEBHOOK_ALLOWED_CIDRS: '',
  MEDIA_ALLOWED_CIDRS: '',
  // A host that cannot be reached is asked a second time at once.
  MEDIA_RETRY_SECONDS: '0',
  TOKEN_RATE_LIMIT_PER_SECOND: UNLIMITED,
  TOKEN_RATE_LIMIT_BURST: UNLIMITED,
  TOKEN_APP_RATE_LIMIT_PER_SECOND: UNLIMITED,
  TOKEN_APP_RATE_LIMIT_BURST: UNLIMITED,
  TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: UNLIMITED,
  FAILED_TOKEN_RATE_LIMIT_PER_SECOND: UNLIMITED,
  FAILED_TOKEN_RATE_LIMIT_BURST: UNLIMITED,
  ADMIN_FAILURES_PER_MINUTE: UNLIMITED,
};

/** Starts Tenon as in production. Its log is searched for secrets and errors as it comes. */
export const openSite = async (
  environment: Environment,
  attacker: Attacker,
  env: Readonly<Record<string, string>> = {},
): Promise<Site> => {
  const name = `hostile_${randomUUID().replaceAll('-', '')}`;
  await environment.pool.query(`CREATE DATABASE ${name}`);
  const databaseUrl = environment.databaseUrl.replace(/\/[^/?]*\?/, `/${name}?`);
  for (const secret of [ADMIN_TOKEN, SECRET_KEYS.split(':')[1] ?? '']) attacker.secrets.remember(secret);
  let isStopping = false;
  const tenon = await startTenon(databaseUrl, { ...ENV, ...env }, (line) => attacker.logged(line));
  let peak = tenon.rss();
  const sample = setInterval(() => {
    const rss = rssOf();
    peak = Math.max(peak, rss);
    attacker.weighed(rss);
  }, SAMPLE_MS);
  const rssOf = (): number => {
    try {
      return tenon.rss();
    } catch {
      if (!isStopping) attacker.violate('no answer', 'the server is gone');
      clearInterval(sample);
      return 0;
    }
  };
  return {
    url: tenon.url,
    adminUrl: tenon.adminUrl,
    pid: tenon.pid,
    attacker,
    databaseUrl,
    peakRss: () => Math.round(peak),
    rss: () => Math.round(rssOf()),
    stop: async () => {
      isStopping = true;
      clearInterval(sample);
      await tenon.stop();
      await environment.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
};

export type Ask = (method: string, path: string, body?: unknown, more?: Partial<Attack>) => Promise<Answer>;

/** Each request brings an idempotency key of its own, which counts where the route takes one. */
const asking =
  (site: Site, base: string, headers: Attack['headers']): Ask =>
  (method, path, body, { headers: others, ...more } = {}) =>
    site.attacker.send({
      what: 'a good request',
      base,
      method,
      path,
      headers: {
        'idempotency-key': randomUUID(),
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...others,
      },
      ...(body !== undefined && { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
      ...more,
    });

/** Requests of the merchant. A body that is not a string is sent as JSON. */
export const asAdmin = (site: Site): Ask => asking(site, site.adminUrl, { authorization: `Bearer ${ADMIN_TOKEN}` });

/** Requests of an app's. */
export const asApp = (site: Site, { domain }: { readonly domain: string }, { token }: { readonly token: string }): Ask =>
  asking(site, site.url, { host: domain, authorization: `Bearer ${token}` });
