import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import request from 'supertest';
import { inject } from 'vitest';

import { parseConfig, type Config } from '../../src/adapters/wiring/settings/config.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { startServer, type Server } from '../../src/adapters/wiring/serve/server.ts';
import { openTestDatabase, type TestDatabase } from './postgres.ts';
import { NO_RATE_LIMITS } from './no-rate-limits.ts';

export const ADMIN_TOKEN = 'the-admin-token-of-the-tests';

const SETTINGS = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  ADMIN_PORT: '0',
  ADMIN_TOKEN,
  ...NO_RATE_LIMITS,
  ADMIN_FAILURES_PER_MINUTE: '1000000',
};

/** Every scope that an endpoint of the app API asks for. */
export const ALL_APP_SCOPES = [
  'read_products',
  'write_products',
  'read_collections',
  'read_metaobjects',
  'write_metaobjects',
  'read_webhooks',
  'write_webhooks',
  'read_orders',
  'write_inventory',
] as const;

export type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface TestStore {
  readonly id: string;
  readonly domain: string;
}

export interface TestApp {
  readonly id: string;
  readonly store: TestStore;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

export interface LogLine extends Readonly<Record<string, unknown>> {
  readonly msg: string;
}

export interface OpenApp extends Pick<Server, 'adminUrl' | 'container'> {
  readonly url: string;
  readonly database: TestDatabase;
  /** Lines of the log, as text. */
  readonly log: readonly string[];
  readonly logged: () => readonly LogLine[];
  /** A request to the admin listener, as the admin. */
  readonly admin: (verb: Verb, path: string) => request.Test;
  /** A request to the public listener on this domain, with this token unless it is null. */
  readonly api: (domain: string, token: string | null) => (verb: Verb, path: string) => request.Test;
  readonly aStore: (domain?: string) => Promise<TestStore>;
  readonly anApp: (store: TestStore, scopes?: readonly string[]) => Promise<TestApp>;
  readonly token: (app: TestApp) => Promise<string>;
  /** Imports product documents; gives the products' ids in the order of the list. */
  readonly importProducts: (store: TestStore, documents: readonly object[]) => Promise<string[]>;
  /** Stops the server and leaves the database, for a test that looks at its rows. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const configOf = (settings: Readonly<Record<string, string>>): Config => {
  const own = { SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`, MEDIA_STORAGE: inject('mediaDirectory') };
  const config = parseConfig({ ...SETTINGS, ...own, ...settings });
  if (!config.ok) throw new Error(config.message);
  const { ADMIN_TOKEN: adminToken, SECRET_KEYS: keys } = config.value;
  if (adminToken === undefined || keys === undefined) throw new Error('the settings of the tests have both');
  return { ...config.value, ADMIN_TOKEN: adminToken, SECRET_KEYS: keys };
};

const must = (answer: request.Response, status: number): request.Response => {
  if (answer.status !== status) throw new Error(`expected ${String(status)}, got ${String(answer.status)}: ${answer.text}`);
  return answer;
};

/**
 * Both listeners on a database of their own, or on that of the app beside which they are, with helpers that do what a merchant and an app do
 * first.
 */
export const openApp = async (settings: Readonly<Record<string, string>> = {}, beside?: OpenApp): Promise<OpenApp> => {
  const database = beside?.database ?? (await openTestDatabase());
  const log: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
  const config = configOf(settings);
  const SECRET_KEYS =
    beside && !settings['SECRET_KEYS'] ? beside.container.resolve(TOKENS.config).SECRET_KEYS : config.SECRET_KEYS;
  const server = await startServer({ ...config, SECRET_KEYS }, database.url, logger);
  const { adminUrl, container } = server;
  // A worker has no public listener; nothing of it is tested here.
  const url = server.url ?? '';

  const admin: OpenApp['admin'] = (verb, path) => request(adminUrl)[verb](path).set('Authorization', `Bearer ${ADMIN_TOKEN}`);
  const api: OpenApp['api'] = (domain, token) => (verb, path) => {
    const call = request(url)[verb](path).set('Host', domain);
    return token === null ? call : call.set('Authorization', `Bearer ${token}`);
  };
  const aStore: OpenApp['aStore'] = async (domain = `${randomUUID()}.example`) => {
    const { body } = must(await admin('post', '/admin/stores').send({ domain }), 201) as { body: { id: string } };
    return { id: body.id, domain };
  };
  const anApp: OpenApp['anApp'] = async (store, scopes = ALL_APP_SCOPES) => {
    const made = must(await admin('post', `/admin/stores/${store.id}/apps`).send({ name: 'App', scopes }), 201);
    const { installation, ...credentials } = made.body as Omit<TestApp, 'id' | 'store'> & { installation: { id: string } };
    return { id: installation.id, store, ...credentials };
  };
  const token: OpenApp['token'] = async ({ store, clientId, clientSecret }) => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { body } = must(await api(store.domain, null)('post', '/apps/token').type('form').send(form), 200);
    return (body as { accessToken: string }).accessToken;
  };
  const importProducts: OpenApp['importProducts'] = async (store, documents) => {
    const ndjson = documents.map((document) => `${JSON.stringify(document)}\n`).join('');
    const path = `/admin/stores/${store.id}/products`;
    const { body } = must(await admin('post', `${path}/import`).type('application/x-ndjson').send(ndjson), 200);
    const { failed, errors } = body as { failed: number; errors: unknown };
    if (failed > 0) throw new Error(JSON.stringify(errors));
    const rows = await database.query<{ id: string }>(
      'SELECT id::text FROM products WHERE store_id = $1 ORDER BY created_at, id',
      [store.id],
    );
    return rows.map((row) => row.id);
  };
  return {
    url,
    adminUrl,
    container,
    database,
    log,
    logged: () => log.map((line) => JSON.parse(line) as LogLine),
    admin,
    api,
    aStore,
    anApp,
    token,
    importProducts,
    stop: () => server.stop(),
    close: async () => {
      await server.stop();
      if (!beside) await database.close();
    },
  };
};
