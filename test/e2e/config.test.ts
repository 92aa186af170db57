import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import { settingsTable } from '../../.ci/settings-table.ts';
import { parseConfig, settings, type ParsedConfig } from '../../src/adapters/wiring/settings/config.ts';
import { NEVER_EMPTY, withLocalSecrets } from '../../src/adapters/startup/local-secrets.ts';

const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://db/tenon',
  ADMIN_TOKEN: 'a-token-of-24-characters',
  SECRET_KEYS: KEY,
};

const parsed = (env: Record<string, string>): ParsedConfig => {
  const result = parseConfig(env);
  if (!result.ok) throw new Error(result.message);
  return result.value;
};

test('without settings, the development profile applies with all defaults', () => {
  expect(parsed({})).toMatchObject({
    ...{ NODE_ENV: 'development', ROLE: 'all', PORT: 4000, ADMIN_HOST: '127.0.0.1', ADMIN_PORT: 4001, DATA_DIR: './data' },
    ...{ ACCESS_TOKEN_TTL_SECONDS: 3600, IDEMPOTENCY_TTL_SECONDS: 86_400, IDEMPOTENCY_MAX_RESPONSE_BYTES: 262_144 },
    ...{ BULK_MAX_PRODUCTS: 250, BULK_MAX_BODY_BYTES: 2_097_152, RATE_LIMIT_PER_SECOND: 50, RATE_LIMIT_BURST: 500 },
    ...{ TOKEN_RATE_LIMIT_PER_SECOND: 1, TOKEN_RATE_LIMIT_BURST: 120, WEBHOOK_TIMEOUT_SECONDS: 15, TRUSTED_PROXIES: [] },
    WEBHOOK_RETRY_SECONDS: [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
  });
});

describe.each(['WEBHOOK_ALLOWED_CIDRS', 'MEDIA_ALLOWED_CIDRS'] as const)('%s', (name) => {
  test('lists loopback in development and nothing in production', () => {
    expect(parsed({})[name]).toHaveLength(2);
    expect(parsed(production)[name]).toEqual([]);
  });
  test.each(['', ' '])('lists nothing when it is "%s"', (text) => {
    expect(parsed({ [name]: text })[name]).toEqual([]);
  });
});

test.each([
  ['127.0.0.1 in development', {}, '127.0.0.1'],
  ['127.0.0.1 in tests', { NODE_ENV: 'test' }, '127.0.0.1'],
  ['0.0.0.0 in production', production, '0.0.0.0'],
  ['what HOST says', { HOST: '::' }, '::'],
])('the public listener is on %s', (_, env, host) => {
  expect(parsed(env).HOST).toBe(host);
});

describe('media', () => {
  test('are stored in DATA_DIR and served by the public listener by default', () => {
    expect(parsed({ DATA_DIR: '/srv/tenon', PORT: '4100' })).toMatchObject({
      MEDIA_STORAGE: { directory: '/srv/tenon/media' },
      MEDIA_URL: 'http://localhost:4100/media',
    });
  });
  test.each([
    ['/srv/media', { directory: '/srv/media' }],
    ['./media', { directory: './media' }],
    [
      'https://s3.eu-central-1.amazonaws.com/tenon-media',
      { endpoint: 'https://s3.eu-central-1.amazonaws.com', bucket: 'tenon-media' },
    ],
    ['http://127.0.0.1:9000/media/', { endpoint: 'http://127.0.0.1:9000', bucket: 'media' }],
  ])('MEDIA_STORAGE=%s', (text, location) => {
    expect(parsed({ MEDIA_STORAGE: text }).MEDIA_STORAGE).toEqual(location);
  });
  test('MEDIA_URL loses a trailing slash', () => {
    expect(parsed({ MEDIA_URL: 'https://cdn.example/shop/' }).MEDIA_URL).toBe('https://cdn.example/shop');
  });
});

test('an empty text counts as not set', () => {
  expect(parsed({ PORT: ' ', DATABASE_URL: '' })).toEqual(parsed({}));
});

test.each(['DATABASE_URL', 'ADMIN_TOKEN', 'SECRET_KEYS'])('With NODE_ENV=production, %s has no default', (name) => {
  expect(parseConfig({ ...production, [name]: undefined })).toMatchObject({
    ok: false,
    message: `${name}: must be set when NODE_ENV is production`,
  });
});

describe('a bad value stops the start with one line that names the setting', () => {
  test.each([
    ['PORT', '70000'],
    ['PORT', '4e3'],
    ['ADMIN_PORT', '-1'],
    ['HOST', 'a b'],
    ['ROLE', 'Worker'],
    ['NODE_ENV', 'prod'],
    ['LOG_LEVEL', 'loud'],
    ['REDIS_URL', 'http://redis'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,proxy'],
    ['WEBHOOK_ALLOWED_CIDRS', '10.0.0.0/33'],
    ['MEDIA_ALLOWED_CIDRS', 'loopback'],
    ['WEBHOOK_RETRY_SECONDS', '0,five'],
    ['BULK_MAX_PRODUCTS', '0'],
    ['MEDIA_STORAGE', 'https://s3.example'],
    ['MEDIA_STORAGE', 'https://s3.example/Bucket'],
    ['MEDIA_STORAGE', 'https://s3.example/bucket/folder'],
    ['MEDIA_STORAGE', 's3://bucket'],
    ['MEDIA_URL', 'media.example'],
    ['MEDIA_URL', 'https://media.example/?a=b'],
    ['AWS_REGION', 'eu west'],
  ])('%s=%s', (name, value) => {
    const result = parseConfig({ [name]: value });
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(new RegExp(`^${name}: [^\\n]+$`)) as string });
  });

  test.each([
    ['ADMIN_TOKEN', 'hunter2'],
    ['ADMIN_TOKEN', 'x'.repeat(23)],
    ['ADMIN_FAILURES_PER_MINUTE', '0'],
    ['MAX_CONNECTIONS', '0'],
    ['SECRET_KEYS', 'k1:hunter2'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['REDIS_URL', 'http://:hunter2@redis'],
    ['MEDIA_STORAGE', 'https://key:hunter2@s3.example/bucket'],
    ['MEDIA_URL', 'https://key:hunter2@media.example'],
  ])('%s, without its value', (name, value) => {
    const result = parseConfig({ [name]: value });
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(new RegExp(`^${name}: `)) as string });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });
});

test.each(Object.keys(settings))('the table of settings lists %s', (name) => {
  expect(settingsTable()).toContain(`| \`${name}\` |`);
});

describe('in development, secrets are created at the first start', () => {
  const folders: string[] = [];
  afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));
  const folder = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), 'tenon-secrets-'));
    folders.push(path);
    return path;
  };

  const EMPTY = (): Promise<boolean> => Promise.resolve(true);

  test('and kept for the next start, readable only by their owner', async () => {
    const DATA_DIR = join(await folder(), 'data');
    const making = () => withLocalSecrets(parsed({ DATA_DIR }), EMPTY);
    const [first, beside] = await Promise.all([making(), making()]);
    expect(beside).toEqual(first);
    expect(await withLocalSecrets(parsed({ DATA_DIR }), NEVER_EMPTY)).toEqual(first);
    expect((await stat(join(DATA_DIR, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  test('only if the environment does not set them', async () => {
    const config = await withLocalSecrets(parsed({ DATA_DIR: await folder(), ADMIN_TOKEN: 'a-token-of-24-characters' }), EMPTY);
    expect(config.ADMIN_TOKEN).toBe('a-token-of-24-characters');
    expect(config.SECRET_KEYS).toHaveLength(1);
  });

  test('but no key beside SECRET_KEYS: a start without them would take it for theirs', async () => {
    const DATA_DIR = await folder();
    const config = await withLocalSecrets(parsed({ DATA_DIR, SECRET_KEYS: KEY }), EMPTY);
    expect(JSON.parse(await readFile(join(DATA_DIR, 'secrets.json'), 'utf8'))).toEqual({ adminToken: config.ADMIN_TOKEN });
    expect((await withLocalSecrets(parsed({ DATA_DIR, SECRET_KEYS: KEY }), NEVER_EMPTY)).SECRET_KEYS).toHaveLength(1);
    await expect(withLocalSecrets(parsed({ DATA_DIR }), EMPTY)).rejects.toThrow('SECRET_KEYS is not set.');
  });

  test('but none for a database that has rows, which says where they are', async () => {
    const DATA_DIR = await folder();
    await expect(withLocalSecrets(parsed({ DATA_DIR }), NEVER_EMPTY)).rejects.toThrow(
      `SECRET_KEYS is not set. Set it as on the server, or copy secrets.json from the server to ${join(DATA_DIR, 'secrets.json')}.`,
    );
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  test('with a name that no other key has, so that both fit into SECRET_KEYS', async () => {
    const made = await Promise.all(
      [1, 2].map(async () => {
        const DATA_DIR = await folder();
        await withLocalSecrets(parsed({ DATA_DIR }), EMPTY);
        return (JSON.parse(await readFile(join(DATA_DIR, 'secrets.json'), 'utf8')) as { secretKeys: string }).secretKeys;
      }),
    );
    expect(made[0]).toMatch(/^k-\d{4}-\d\d-\d\d-[0-9a-f]{8}:/);
    expect(parsed({ SECRET_KEYS: made.join(',') }).SECRET_KEYS).toHaveLength(2);
  });

  test('a file of an earlier version, whose key is named k1, is read as it is', async () => {
    const DATA_DIR = await folder();
    const adminToken = 'tnn_admin_of_an_earlier_version';
    await writeFile(join(DATA_DIR, 'secrets.json'), JSON.stringify({ adminToken, secretKeys: KEY }));
    const config = await withLocalSecrets(parsed({ DATA_DIR }), NEVER_EMPTY);
    expect([config.ADMIN_TOKEN, config.SECRET_KEYS.map(({ kid }) => kid)]).toEqual([adminToken, ['k1']]);
  });

  test('a damaged file stops the start with one line that does not show its content', async () => {
    const DATA_DIR = await folder();
    await writeFile(join(DATA_DIR, 'secrets.json'), '{"adminToken": "hunter2"');
    const starting = withLocalSecrets(parsed({ DATA_DIR }), EMPTY);
    await expect(starting).rejects.toThrow(/^[^\n]*secrets\.json is damaged(?!.*hunter2)[^\n]*$/);
  });
});

test('SECRET_KEYS with a name twice says which name, and shows no key', () => {
  const other = Buffer.alloc(32, 8).toString('base64');
  const read = parseConfig({ SECRET_KEYS: `${KEY},k1:${other}` });
  const said = read.ok ? '' : read.message;
  expect(said).toMatch(/^SECRET_KEYS: two keys have the name k1\. /);
  expect(said).not.toContain(other);
});
