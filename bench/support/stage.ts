import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';

import type { Caller, CeilingRequest } from '../ceilings/serve.ts';
import { startChild, type Child } from './child.ts';
import { openEnvironment, type Environment } from './environment.ts';
import type { LoadRound, LoadRequest, Plan } from './load.ts';
import { openShop, type Shop } from './shop.ts';
import { startTenon, type Program, type Tenon } from './tenon.ts';

/** Who answers: Tenon, or a ceiling. */
export interface Side {
  readonly name: string;
  readonly urls: readonly string[];
  readonly pids: readonly number[];
}

/** A shop with a token of its app. */
export interface Tenant extends Shop {
  /** Headers of every request of the app. */
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken: string;
}

/**
 * Common parts of cases with requests: a PostgreSQL, an API process and the process that the load
 * comes from.
 */
export interface Stage {
  readonly environment: Environment;
  readonly tenon: Tenon;
  /**
   * This checkout and another one on the same database, when these are what is compared. Neither is
   * `tenon`: a process that has imported the catalogue answers 6 to 12 % slower than a new one.
   */
  readonly checkouts: readonly Side[];
  readonly load: Child;
  close(): Promise<void>;
}

/** `against` is another checkout. */
export const openStage = async (against?: Program): Promise<Stage> => {
  const environment = await openEnvironment();
  const api = { ROLE: 'api' };
  const tenon = await startTenon(environment.databaseUrl, api);
  const compared = against === undefined ? [] : [undefined, against];
  const checkouts = await Promise.all(compared.map((program) => startTenon(environment.databaseUrl, api, undefined, program)));
  const load = startChild('support/load.ts');
  return {
    environment,
    tenon,
    checkouts: checkouts.map((checkout, at) => tenonSide(checkout, at === 0 ? 'Tenon' : 'other checkout')),
    load,
    close: async () => {
      await Promise.all([tenon, ...checkouts, load].map((process) => process.stop()));
      await environment.close();
    },
  };
};

/** Bulk updates of the app. */
export const bulkHeaders = ({ headers }: Pick<Tenant, 'headers'>): Readonly<Record<string, string>> => ({
  ...headers,
  'content-type': 'application/json',
});

/** The form of a token request. */
export const credentials = ({ clientId, clientSecret }: Pick<Shop, 'clientId' | 'clientSecret'>): string =>
  new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }).toString();

export const openTenant = async (tenon: Tenon): Promise<Tenant> => {
  const shop = await openShop(tenon);
  const answer = await request(`${tenon.url}/apps/token`, {
    method: 'POST',
    headers: { host: shop.domain, 'content-type': 'application/x-www-form-urlencoded' },
    body: credentials(shop),
  });
  const { accessToken } = (await answer.body.json()) as { accessToken: string };
  return { ...shop, accessToken, headers: { host: shop.domain, authorization: `Bearer ${accessToken}` } };
};

export const tenonSide = ({ url, pid }: Tenon, name = 'Tenon'): Side => ({ name, urls: [url], pids: [pid] });

export interface Ceiling extends Side {
  stop(): Promise<void>;
}

/**
 * Starts `bench/ceilings/<file>`, with the token of the tenant in a map or looked up in the
 * database for each request.
 */
export const startCeiling = async (
  { databaseUrl }: Pick<Environment, 'databaseUrl'>,
  file: string,
  { storeId, installationId, accessToken }: Tenant,
  { token, name, facts = {} }: { token: 'map' | 'SELECT'; name: string; facts?: Readonly<Record<string, string>> },
): Promise<Ceiling> => {
  const child = startChild(`ceilings/${file}`, { DATABASE_URL: databaseUrl });
  const caller: Caller = { storeId, installationId };
  const { url } = await child.ask<{ url: string }>({
    known: token === 'map' ? { [accessToken]: caller } : null,
    facts,
  } satisfies CeilingRequest);
  return { name, urls: [url], pids: [child.pid], stop: () => child.stop() };
};

/** Work for a client that went away is finished within this time. */
const SETTLE_MS = 100;

/**
 * How long a round is: some seconds, or in the short form some requests, which end on any machine.
 */
export const lengthOf = (short: boolean, connections: number): { readonly seconds: number } | { readonly amount: number } =>
  short ? { amount: 2 * connections } : { seconds: 2 };

export interface Sending {
  readonly plan: string;
  readonly urls: readonly string[];
  readonly connections: number;
  readonly seconds?: number;
  readonly amount?: number;
}

export const keepPlan = (load: Child, name: string, plan: Plan): Promise<object> =>
  load.ask({ keep: name, plan } satisfies LoadRequest);

/** Runs a round; resolves once nothing of it is under way any more. */
export const sendPlan = async (load: Child, { plan, ...rest }: Sending): Promise<LoadRound> => {
  const round = await load.ask<LoadRound>({ send: plan, ...rest } satisfies LoadRequest);
  await pause(SETTLE_MS);
  return round;
};
