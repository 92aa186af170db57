import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { root } from '../architecture/source.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { npm } from '../support/packed.ts';

/**
 * `npm run generators`: the clients that four generators make of docs/openapi.json compile, and call a server. They are
 * 230 MB, so they are installed here and not with each clone.
 */
const PACKAGES = ['@hey-api/openapi-ts@0.95.0', 'orval@7.13.2', 'swagger-typescript-api@13.13.0', 'openapi-fetch@0.17.0'];

/** 390 packages are installed and removed, perhaps on a busy machine. */
const PATIENCE_MS = 600_000;

const DOCUMENT = join(root, 'docs/openapi.json');

interface Generator {
  readonly command: readonly string[];
  /** Sets `products` by the generated code, from `url`, `headers` that name the store, and `credentials`. */
  readonly program: string;
}

const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    command: ['openapi-typescript', DOCUMENT, '--output', 'api.ts'],
    program: `
      import createClient from 'openapi-fetch';
      import type { paths } from './api.ts';
      const client = createClient<paths>({ baseUrl: url, headers });
      const bodySerializer = (body: Record<string, string>) => new URLSearchParams(body);
      const token = await client.POST('/apps/token', { body: credentials, bodySerializer, headers: form });
      const authorization = 'Bearer ' + token.data!.accessToken;
      const answer = await client.GET('/apps/catalog/products', { headers: { authorization } });
      const products = answer.data!.items;`,
  },
  'hey-api': {
    command: ['openapi-ts', '-i', DOCUMENT, '-o', 'api', '-c', '@hey-api/client-fetch'],
    program: `
      import { createToken, listProducts } from './api/index';
      import { client } from './api/client.gen';
      client.setConfig({ baseUrl: url, headers });
      const token = await createToken({ body: credentials, throwOnError: true });
      const { data } = await listProducts({ auth: token.data.accessToken, throwOnError: true });
      const products = data.items;`,
  },
  orval: {
    command: ['orval', '--config', 'orval.config.cjs'],
    program: `
      import { createToken, listProducts } from './api';
      const token = await createToken(credentials, { headers: { ...headers, ...form } });
      if (token.status !== 200) throw new Error(String(token.status));
      const authorization = 'Bearer ' + token.data.accessToken;
      const answer = await listProducts({}, { headers: { ...headers, authorization } });
      if (answer.status !== 200) throw new Error(String(answer.status));
      const products = answer.data.items;`,
  },
  'swagger-typescript-api': {
    command: ['swagger-typescript-api', 'generate', '-p', DOCUMENT, '-o', '.', '-n', 'api.ts'],
    program: `
      import { Api } from './api';
      const api = new Api({ baseUrl: url, baseApiParams: { headers } });
      const token = await api.apps.createToken(credentials);
      const authorization = 'Bearer ' + token.data.accessToken;
      const answer = await api.apps.listProducts({}, { headers: { authorization } });
      const products = answer.data.items;`,
  },
};

describe.skipIf(process.env['GENERATORS'] !== 'full')('the client that this generator makes of docs/openapi.json', () => {
  let app: OpenApp;
  let shop: TestApp;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenon-generators-'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    app = await openApp();
    shop = await app.anApp(await app.aStore());
    await app.importProducts(shop.store, [{ name: 'Saw', slug: 'saw' }]);
    await npm(folder, 'install', '--ignore-scripts', ...PACKAGES);
  }, PATIENCE_MS);
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }, PATIENCE_MS);

  it.each(Object.entries(GENERATORS))('compiles strictly, gets a token and lists products: %s', async (name, generator) => {
    const cwd = join(folder, name);
    mkdirSync(cwd);
    symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
    const output = { target: 'api.ts', client: 'fetch', baseUrl: app.url };
    writeFileSync(join(cwd, 'orval.config.cjs'), `module.exports = ${JSON.stringify({ app: { input: DOCUMENT, output } })}`);
    const known = {
      ...{ url: app.url, headers: { 'X-Tenon-Store': shop.store.domain } },
      credentials: { grant_type: 'client_credentials', client_id: shop.clientId, client_secret: shop.clientSecret },
      form: { 'Content-Type': 'application/x-www-form-urlencoded' },
    };
    const constants = Object.entries(known).map(([key, value]) => `const ${key} = ${JSON.stringify(value)} as const;`);
    writeFileSync(
      join(cwd, 'call.ts'),
      `${constants.join('\n')}\n${generator.program}\nconsole.log(products.map((product) => product.slug).join());`,
    );
    const env = {
      ...process.env,
      PATH: `${join(folder, 'node_modules/.bin')}:${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    };
    const [command = '', ...args] = generator.command;
    const run = (file: string, ...all: readonly string[]) => promisify(execFile)(file, all, { cwd, env });
    await run(command, ...args);
    await run(
      'tsc',
      '--strict',
      '--noEmit',
      '--target',
      'es2023',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--allowImportingTsExtensions',
      'call.ts',
    );
    expect((await run('tsx', 'call.ts')).stdout.trim()).toBe('saw');
  });
});
