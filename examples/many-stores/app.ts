import { randomBytes, timingSafeEqual } from 'node:crypto';
import express, { type Express, type Request } from 'express';
import { Tenon, TenonError } from 'tenon-client';
import { toExpress } from 'tenon-client/express';
import { receiver } from 'tenon-client/webhooks';

import type { Stores } from './stores.ts';

export interface Settings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The newest first. The one before counts while it overlaps. */
  readonly signingSecrets: readonly string[];
  /** The stores of the platform: any name below it, such as `.shops.example.com`. */
  readonly storesBelow: string;
  /** The address of a store, such as `https://sunrise.shops.example.com`. */
  readonly addressOf: (domain: string) => string;
  /** Where browsers reach the app. */
  readonly publicUrl: string;
}

const COOKIE = 'install';

/** A cookie of the merchant's browser: the state, and its store. */
const begunIn = ({ headers }: Request): string => new RegExp(`(?:^|; )${COOKIE}=([^;]*)`).exec(headers.cookie ?? '')?.[1] ?? '';

const equal = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The client secret goes to stores of the platform alone: anybody can type another address, or come back with one. */
const isStore = ({ storesBelow }: Settings, domain: string): boolean =>
  /^[a-z0-9.-]+$/.test(domain) && domain.endsWith(storesBelow);

/** Keeps what merchants decided. Only what Tenon has signed counts: a browser can bring anything. */
const hooksOf = ({ signingSecrets }: Settings, stores: Stores) =>
  receiver({ secrets: signingSecrets })
    .on(['app.installed', 'app.scopes_changed', 'app.resumed'], ({ storeId, timestamp, data }) =>
      stores.learn(storeId, 'working', timestamp, data.domain),
    )
    .on('app.suspended', ({ storeId, timestamp, data }) => stores.learn(storeId, 'suspended', timestamp, data.domain))
    .on('app.uninstalled', ({ storeId, timestamp, data }) => stores.learn(storeId, 'gone', timestamp, data.domain));

/** The app's site: a button, the way back, and its event address. */
export const createApp = (settings: Settings, stores: Stores): Express => {
  const { clientId, publicUrl, addressOf } = settings;
  const app = express();
  // Before anything that reads the body: the signature is over its bytes.
  app.post('/events', toExpress(hooksOf(settings, stores)));

  app.get('/', (_request, response) => {
    response.send(
      `<form action="/install"><label>Your store <input name="store" placeholder="sunrise${settings.storesBelow}"></label> <button>Install</button></form>`,
    );
  });

  app.get('/install', (request, response) => {
    const store = textOf(request.query['store']).toLowerCase();
    if (!isStore(settings, store)) {
      response.status(400).send('Enter the domain of your store.');
      return;
    }
    const state = randomBytes(16).toString('hex');
    const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
    response.setHeader('Set-Cookie', `${COOKIE}=${state}.${store}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600${secure}`);
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: `${publicUrl}/installed`, state });
    response.redirect(`${addressOf(store)}/apps/install?${query.toString()}`);
  });

  app.get('/installed', (request, response) => {
    const [state, store, error] = ['state', 'store', 'error'].map((name) => textOf(request.query[name]));
    if (!equal(begunIn(request), `${state}.${store}`)) {
      response.status(400).send('This installation did not begin in your browser. Begin again.');
      return;
    }
    response.setHeader('Set-Cookie', `${COOKIE}=; Path=/; Max-Age=0`);
    response.send(error === '' ? '<h1>Thank you</h1> The app works on your store now.' : 'The app was not installed.');
  });
  return app;
};

/** Findings of a night in a store: its products without a description for search engines. */
export interface Night {
  readonly domain: string;
  readonly products: number;
  readonly lacking: number;
}

/**
 * The nightly work, one store after the other, from any of them on: where nights are cut short, it is not always the same that
 * miss theirs. A store that refuses the app, or cannot be reached, is left out: the others have their turn all the same.
 */
export const nightly = async (
  { clientId, clientSecret, addressOf }: Settings,
  stores: Stores,
  onFailed: (domain: string, error: TenonError) => void,
): Promise<readonly Night[]> => {
  const nights: Night[] = [];
  const working = stores.working();
  const first = Math.floor(Math.random() * working.length);
  for (const { domain } of [...working.slice(first), ...working.slice(0, first)]) {
    const tenon = new Tenon({ store: addressOf(domain), clientId, clientSecret, maxAttempts: 3 });
    try {
      let [products, lacking] = [0, 0];
      const exported = await tenon.products.export();
      for await (const { product } of exported.products) {
        products += 1;
        if (!product.metaDescription) lacking += 1;
      }
      nights.push({ domain, products, lacking });
    } catch (error) {
      if (!(error instanceof TenonError)) throw error;
      onFailed(domain, error);
    }
  }
  return nights;
};
