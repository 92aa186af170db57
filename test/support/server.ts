import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { expect, inject } from 'vitest';

const ADMIN_TOKEN = 'admin-token-of-the-tests';
export const SETTINGS = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  ADMIN_HOST: '127.0.0.1',
  ADMIN_PORT: '0',
  ADMIN_TOKEN,
  SECRET_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '100000',
  TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: '100000',
  FAILED_TOKEN_RATE_LIMIT_PER_SECOND: '100000',
  FAILED_TOKEN_RATE_LIMIT_BURST: '100000',
};

export interface ServerProcess {
  /** Empty on a worker, which has no public listener. */
  readonly url: string;
  readonly adminUrl: string;
  readonly pid: number;
  /** The lines of its log of level error and worse, as they come. */
  readonly errors: readonly string[];
  /** How it ended. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it at once, if it still runs. */
  end(): Promise<void>;
}

export interface ProcessOptions {
  readonly databaseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  /** src/main.ts by default. */
  readonly entry?: string;
  /** The source of another version, which is started in place of the compiled present one. */
  readonly checkout?: string;
}

/** Starts a server in a process of its own, on free ports, and waits until it listens. */
export const startProcess = async ({
  databaseUrl,
  env = {},
  entry = 'src/main.ts',
  checkout,
}: ProcessOptions): Promise<ServerProcess> => {
  const program = checkout === undefined ? [join(inject('built'), entry.replace(/ts$/, 'js'))] : ['--import', 'tsx', entry];
  const child = spawn(process.execPath, [...program, 'start'], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], ...SETTINGS, DATABASE_URL: databaseUrl, MEDIA_STORAGE: inject('mediaDirectory'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code, signal]: unknown[]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  const errors: string[] = [];
  const addresses = await new Promise<{ url: string; adminUrl: string }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (/"level":"(error|fatal)"/.test(line)) errors.push(line);
      if (line.includes('"msg":"listening"')) {
        const { url, adminUrl } = JSON.parse(line) as { url: string | null; adminUrl: string };
        resolve({ url: url ?? '', adminUrl });
      }
    });
    void exited.then(({ code, signal }) => {
      reject(new Error(`the server ended with ${String(code ?? signal)} before it listened\n${errors.join('\n')}`));
    });
  });
  return {
    ...addresses,
    pid: child.pid ?? -1,
    errors,
    exited,
    kill: (signal) => {
      child.kill(signal);
    },
    end: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type Headers = Readonly<Record<string, string>>;

/** Sends a request. A cut connection rejects. */
export const call = async (
  url: string,
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  headers: Headers = {},
  body?: string | Buffer,
): Promise<Answer> => {
  const answer = await request(url, { method, headers, ...(body !== undefined && { body }) });
  return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
};

/** A request of the merchant's. */
export const asAdmin = (
  server: { adminUrl: string },
  method: Parameters<typeof call>[1],
  path: string,
  body?: unknown,
  type = 'application/json',
): Promise<Answer> => {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, ...(text !== undefined && { 'content-type': type }) };
  return call(`${server.adminUrl}${path}`, method, headers, text);
};

const admin = async (server: { adminUrl: string }, path: string, body: unknown, type?: string) => {
  const answer = await asAdmin(server, 'POST', path, body, type);
  expect(answer.status, answer.body).toBeLessThan(300);
  return JSON.parse(answer.body) as unknown;
};

export interface StoreWithApp {
  readonly storeId: string;
  readonly domain: string;
  readonly installationId: string;
  readonly signingSecret: string;
  /** Ids of the products, in the order of their numbers: product k has the slug `product-k`. */
  readonly productIds: readonly string[];
  /** The headers that an app sends with every request. */
  readonly headers: Headers;
  /** These headers with a new token. Null where it gets none. */
  readonly renewed: () => Promise<Headers | null>;
}

const productIdOf = (k: number): string => `00000000-0000-4000-8000-${String(k + 1).padStart(12, '0')}`;

/** Installs another app in the store, and issues a token. */
export const anApp = async (
  server: { url: string; adminUrl: string },
  { storeId, domain, productIds }: Pick<StoreWithApp, 'storeId' | 'domain' | 'productIds'>,
  scopes: readonly string[],
): Promise<StoreWithApp> => {
  const app = (await admin(server, `/admin/stores/${storeId}/apps`, { name: 'App', scopes })) as {
    installation: { id: string };
    clientId: string;
    clientSecret: string;
    signingSecret: string;
  };
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: app.clientId,
    client_secret: app.clientSecret,
  });
  const type = { host: domain, 'content-type': 'application/x-www-form-urlencoded' };
  const renewed = async (): Promise<Headers | null> => {
    const token = await call(`${server.url}/apps/token`, 'POST', type, form.toString());
    if (token.status !== 200) return null;
    const { accessToken } = JSON.parse(token.body) as { accessToken: string };
    return { host: domain, authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  };
  const headers = await renewed();
  if (headers === null) throw new Error('the app got no token');
  const { installation, signingSecret } = app;
  return { storeId, domain, installationId: installation.id, signingSecret, productIds, headers, renewed };
};

let stores = 0;

/**
 * A store with an app and n products of one variant each, made as the merchant makes them; and a
 * token of the app.
 */
export const aStoreWithApp = async (
  server: { url: string; adminUrl: string },
  { scopes = ['write_products'], products }: { scopes?: readonly string[]; products: number },
): Promise<StoreWithApp> => {
  stores += 1;
  const domain = `store-${String(stores)}.example`;
  const store = (await admin(server, '/admin/stores', { domain })) as { id: string };
  const productIds = Array.from({ length: products }, (_, k) => productIdOf(k));
  const lines = productIds.map((id, k) =>
    JSON.stringify({
      id,
      name: `Product ${String(k)}`,
      slug: `product-${String(k)}`,
      variants: [{ sku: `sku-${String(k)}`, currency: 'EUR', price: 10 }],
    }),
  );
  const imported = await admin(server, `/admin/stores/${store.id}/products/import`, lines.join('\n'), 'application/x-ndjson');
  expect(imported).toMatchObject({ created: products, failed: 0 });
  return anApp(server, { storeId: store.id, domain, productIds }, scopes);
};

export const BULK = '/apps/catalog/products/bulk';

/** A bulk update with this idempotency key. */
export const bulk = (
  server: { url: string },
  app: StoreWithApp,
  key: string,
  products: readonly object[],
  more: Headers = {},
): Promise<Answer> =>
  call(`${server.url}${BULK}`, 'POST', { ...app.headers, 'idempotency-key': key, ...more }, JSON.stringify({ products }));
