import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { sealedSecrets } from '../../src/adapters/prisma/identity/sealed-secrets.ts';
import { parseSecretKeys, type SecretKey } from '../../src/adapters/startup/secret-keys.ts';
import { rotateKeys } from '../../src/adapters/wiring/keys/rotate-keys.ts';
import { textOf } from '../architecture/source.ts';
import { freePort } from '../support/free-port.ts';
import { blocksIn } from '../support/guide.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { compiledMain, runMain } from '../support/main-process.ts';
import { createEmptyDatabase, openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { call, SETTINGS } from '../support/server.ts';

const key = (kid: string, fill: number): string => `${kid}:${Buffer.alloc(32, fill).toString('base64')}`;
const [K1, K2, K3] = [key('k1', 1), key('k2', 2), key('k3', 3)];
const LOST = { SECRET_KEYS: K3, LOST_SECRET_KEYS: 'k2' };
const AFTER = { SECRET_KEYS: K3 };
type Keys = Readonly<Record<string, string>>;

const STORE = 'sunrise.localhost';
const HOOK = 'https://hooks.example.com/tenon';
const WORDS = /"([^"]*)"|(\S+)/g;

/** The commands of the page, in its words. The last one is for the servers without the setting. */
const PAGE = textOf('docs/configuration.md').split('### A lost key')[1] ?? '';
const COMMANDS = blocksIn(PAGE.replaceAll(/^ {3}/gm, ''))
  .flatMap(({ text }) => text.trim().split('\n'))
  .map((line) => [...line.matchAll(WORDS)].map(([, quoted, bare = '']) => quoted ?? bare));

let folder: string;
let database: TestDatabase;
let port: string;
let files = 0;
const aFile = (): string => join(folder, `${String((files += 1))}.archive`);

const environment = (keys: Keys, url: string): Record<string, string> => ({
  ...SETTINGS,
  ...keys,
  ADMIN_PORT: port,
  DATABASE_URL: url,
  MEDIA_STORAGE: join(folder, 'media'),
  XDG_CONFIG_HOME: folder,
  // The clean-up of a worker would remove what the test counts.
  ROLE: 'api',
});

interface Said {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

const tenon = async (args: readonly string[], keys: Keys, url = database.url): Promise<Said> => {
  const { ended, out, err } = runMain({ env: environment(keys, url), command: [...compiledMain(), ...args] });
  return { status: await ended, out: out(), err: err() };
};

const done = async (args: readonly string[], keys: Keys, url?: string): Promise<Said> => {
  const said = await tenon(args, keys, url);
  expect({ args, ...said }).toMatchObject({ status: 0 });
  return said;
};

const json = async <T>(args: readonly string[], keys: Keys): Promise<T> =>
  JSON.parse((await done([...args, '--json'], keys)).out.split('\n', 1)[0] ?? '') as T;

const running: LocalServer[] = [];
const start = async (keys: Keys, url = database.url): Promise<LocalServer> => {
  const server = await startLocally({ databaseUrl: url, env: environment(keys, url) });
  running.push(server);
  return server;
};
const stop = async (): Promise<void> => {
  for (const server of running.splice(0)) await server.end();
};

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const tokenStatus = async ({ url }: LocalServer, { clientId, clientSecret }: Credentials): Promise<number> => {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
  const headers = { host: STORE, 'content-type': 'application/x-www-form-urlencoded' };
  return (await call(`${url}/apps/token`, 'POST', headers, form.toString())).status;
};

const doctorOnKeys = async (keys: Keys, url?: string): Promise<readonly string[]> =>
  (await done(['doctor'], keys, url)).out.split('\n').flatMap((line) => {
    const [check, ...found] = line.split('\t');
    return check === 'secret keys' ? [found.join(' ').trim()] : [];
  });

/** Nine secrets of k2: five of apps, one of the platform app, one of the subscription, and two peppers. */
const LEFT = 'Nothing opens 9 secrets of key k2, which LOST_SECRET_KEYS names';

let app: Credentials;
let subscription: string;
let before: string;

beforeAll(async () => {
  [folder, database] = await Promise.all([mkdtemp(join(tmpdir(), 'tenon-lost-key-')), openTestDatabase()]);
  port = String(await freePort());
  const old = { SECRET_KEYS: `${K2},${K1}` };
  await start(old);
  await done(['store', 'create', STORE], old);
  app = await json<Credentials>(['app', 'install', 'Stock sync', '--scopes', 'read_orders'], old);
  await done(['app', 'rotate-signing-secret', 'Stock sync', '--overlap', '3600'], old);
  for (const name of ['Gone', 'Gone as well']) await done(['app', 'install', name, '--scopes', 'read_orders'], old);
  for (const name of ['Gone', 'Gone as well']) await done(['app', 'uninstall', name, '--yes'], old);
  await done(['app', 'install', 'Expired', '--scopes', 'read_orders'], old);
  const urls = 'https://reviews.example.com/installed';
  await done(['platform-apps', 'add', 'Reviews', '--redirect-urls', urls, '--scopes', 'read_orders'], old);
  const created = ['subscriptions', 'create', HOOK, '--types', 'order.paid'];
  subscription = (await json<{ id: string }>(created, old)).id;
  await stop();
  // The pepper of k1 is kept under k2, and so is one of a key before it.
  await rotateKeys(sealedSecrets(database), parseSecretKeys(`${K2},${K1},${key('k0', 0)}`) as [SecretKey, ...SecretKey[]]);
  before = aFile();
  await done(['backup', before], old);
});
afterEach(stop);
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** Restores into an empty database, for the time of the work. */
const restored = async (file: string, keys: Keys, work: (url: string, said: Said) => Promise<void>): Promise<void> => {
  const target = await createEmptyDatabase();
  try {
    const said = await done(['restore', file], keys, target.url);
    await work(target.url, said);
  } finally {
    await stop();
    await target.drop();
  }
};

const imported = async (file: string, keys: Keys): Promise<Said> => {
  const target = await openTestDatabase();
  try {
    return await done(['store', 'import', file], keys, target.url);
  } finally {
    await target.close();
  }
};

describe('before the secrets are replaced', () => {
  it('a server starts with LOST_SECRET_KEYS and not without, and doctor warns of the key and names the command', async () => {
    await start(LOST);
    await expect(start(AFTER)).rejects.toThrow('SECRET_KEYS does not open');
    expect(await doctorOnKeys(LOST)).toEqual([
      `warning ${LEFT} Rotate the secrets of the apps, and then run tenon keys forget k2.`,
    ]);
    expect((await tenon(['doctor'], AFTER)).out).toContain('failed\tSECRET_KEYS does not open 9 secrets of key k2');
  });
  it('a backup and its restore work, and name the key and the count', async () => {
    const file = aFile();
    expect((await done(['backup', file], LOST)).err).toContain(`${LEFT}.`);
    await restored(file, LOST, async (url, said) => {
      expect(said.err).toContain(`${LEFT}.`);
      await start(LOST, url);
    });
    await restored(before, LOST, async (url, said) => {
      expect(said.err).toContain(`${LEFT}.`);
      await start(LOST, url);
    });
  });
  it('an export and its import work, and name the key and the count', async () => {
    const file = aFile();
    const left = 'Nothing opens 8 secrets of key k2, which LOST_SECRET_KEYS names.';
    expect((await done(['store', 'export', STORE, file], LOST)).err).toContain(left);
    expect((await imported(file, LOST)).err).toContain(left);
  });
  it('without the setting all four refuse, and say which key is missing', async () => {
    const [file, store] = [aFile(), aFile()];
    await done(['backup', file], LOST);
    await done(['store', 'export', STORE, store], LOST);
    const target = await createEmptyDatabase();
    const importing = await openTestDatabase();
    try {
      for (const { status, err } of [
        await tenon(['backup', aFile()], AFTER),
        await tenon(['store', 'export', STORE, aFile()], AFTER),
        await tenon(['restore', file], AFTER, target.url),
        await tenon(['store', 'import', store], AFTER, importing.url),
      ]) {
        expect({ status, err }).toMatchObject({ status: 1, err: expect.stringMatching(/key k2.*set LOST_SECRET_KEYS/) });
      }
      expect(await importing.query('SELECT id FROM stores')).toEqual([]);
    } finally {
      await importing.close();
      await target.drop();
    }
  });
  it('keys rotate names the missing key with its count', async () => {
    const said = await tenon(['keys', 'rotate'], AFTER);
    expect(said).toMatchObject({ status: 1, err: expect.stringContaining('SECRET_KEYS does not open 9 secrets of key k2.') });
    expect((await done(['keys', 'rotate'], LOST)).err).toContain(`${LEFT}.`);
  });
  it('keys forget refuses a key that SECRET_KEYS has, and one that is needed, and names what replaces each secret', async () => {
    const inUse = await tenon(['keys', 'forget', 'k3', '--yes'], LOST);
    expect(inUse).toMatchObject({ status: 5, err: expect.stringContaining('SECRET_KEYS still has k3.') });
    const { status, err } = await tenon(['keys', 'forget', 'k2', '--yes'], LOST);
    expect(status).toBe(5);
    expect(err).toContain('5 secrets of key k2 are still needed. Nothing was deleted.');
    const commands = [...err.matchAll(/^ {2}(tenon .*?) {2}# (.*)$/gm)].map(([, command = '', name]) => [command, name]);
    const places = commands.map(([command, name]) => [command?.replaceAll(/[0-9a-f-]{36}/g, 'ID'), name]);
    expect(places).toEqual([
      [`tenon app rotate-signing-secret ID --store ${STORE} --overlap 0`, 'Expired'],
      [`tenon app rotate-signing-secret ID --store ${STORE} --overlap 0`, 'Stock sync'],
      ['tenon platform-apps rotate-signing-secret ID --overlap 0', 'Reviews'],
      [`tenon subscriptions delete ID --store ${STORE}`, HOOK],
    ]);
    await start(LOST);
    const [[expiring] = []] = commands;
    await done([...(expiring ?? '').split(' ').slice(1), '--yes'], LOST);
    expect((await tenon(['keys', 'forget', 'k2', '--yes'], LOST)).err).toContain('4 secrets of key k2 are still needed.');
  });
});

describe('the page, followed literally', () => {
  it('ends with a server that needs neither the key nor the setting', async () => {
    const server = await start(LOST);
    const [doctor, ...rest] = COMMANDS.toReversed();
    let renewed: Credentials = app;
    let forgot = '';
    for (const [, ...words] of rest.reverse()) {
      const args = words.map((word) => (word === '019a3c5e' ? subscription : word));
      const asks = args.includes('--overlap') || args.includes('delete') || args.includes('forget');
      const said = await done([...args, ...(asks ? ['--yes'] : [])], LOST);
      if (args[0] === 'app' && args[1] === 'rotate-client-secret')
        renewed = { ...app, clientSecret: /tnn_cs_\w+/.exec(said.out)?.[0] ?? '' };
      if (args[1] === 'forget') forgot = said.err;
    }
    expect(forgot).toContain(
      'Deleted: 4 expired signing secrets, 2 signing secrets of uninstalled apps, 2 peppers.\n' +
        'Remove k2 from LOST_SECRET_KEYS and restart the servers.',
    );
    await server.end();

    const after = await start(AFTER);
    expect(doctor?.slice(1)).toEqual(['doctor']);
    expect(await doctorOnKeys(AFTER)).toEqual([expect.stringMatching(/^ok SECRET_KEYS opens all that is stored: \d secrets/)]);
    expect([await tokenStatus(after, app), await tokenStatus(after, renewed)]).toEqual([401, 200]);
    expect(after.errors).toEqual([]);
  });
  it('then a backup, a restore, a start on it, an export and an import work without the setting', async () => {
    const [file, store] = [aFile(), aFile()];
    expect((await done(['backup', file], AFTER)).err).not.toContain('k2');
    expect((await done(['store', 'export', STORE, store], AFTER)).err).not.toContain('k2');
    expect((await imported(store, AFTER)).err).not.toContain('k2');
    await restored(file, AFTER, async (url, said) => {
      expect(said.err).not.toContain('k2');
      await start(AFTER, url);
      expect(await doctorOnKeys(AFTER, url)).toEqual([expect.stringMatching(/^ok /)]);
    });
  });
  it('keys forget has nothing more to delete, asks nothing and says so', async () => {
    const said = await done(['keys', 'forget', 'k2', '--json'], AFTER);
    expect(JSON.parse(said.out)).toEqual({
      kid: 'k2',
      expiredSigningSecrets: 0,
      signingSecretsOfUninstalledApps: 0,
      peppers: 0,
    });
    expect(said.err).toBe('Nothing is encrypted with k2.\n');
  });
});
