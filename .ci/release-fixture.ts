import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import sharp from 'sharp';
import { request } from 'undici';

import { startEmbeddedPostgres } from '../src/adapters/embedded/postgres.ts';
import { closeOnSignal } from '../src/adapters/startup/stop-signals.ts';
import { insideTransaction, readMigrations, TABLE } from '../src/adapters/prisma/connection/migrations.ts';
import { checkOut, FOLDER } from '../test/support/releases.ts';

/**
 * `npm run release-fixture [-- <commit>]` writes test/fixtures/releases/<version>: what the version of this commit, by default the
 * last one, leaves in a database, as SQL, and as a backup. Its own code makes all of it. Tests upgrade both.
 */
const [commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()] = process.argv.slice(2);

/** Only the fixtures have this key, so that a test can open what they have sealed. */
const OLD_KEY = `k0:${Buffer.alloc(32, 8).toString('base64')}`;
const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const ADMIN_TOKEN = 'admin-token-of-the-fixtures';
const DEMO_STORE = 'localhost';

type Env = Readonly<Record<string, string>>;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The migrations, and the rows of each table as JSON, which keeps every type but the generated columns. */
const dump = async (url: string, migrations: string): Promise<{ sql: string; rows: Record<string, number> }> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const ask = async (text: string, values: unknown[] = []) => (await client.query<Record<string, string>>(text, values)).rows;
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const lines = (await readMigrations(migrations)).map(insideTransaction);
    const columns = await ask(
      `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS list FROM information_schema.columns
       WHERE table_schema = 'public' AND is_generated = 'NEVER' GROUP BY 1 ORDER BY 1`,
    );
    lines.push(
      `${TABLE};`,
      // The rows are those of a database that works, so neither triggers nor foreign keys look at them again.
      `SET session_replication_role = replica;`,
    );
    const rows: Record<string, number> = {};
    for (const { name = '', list = '' } of columns) {
      const found = await ask(`SELECT to_json(t)::text AS row FROM (SELECT ${list} FROM ${name}) t`);
      rows[name] = found.length;
      lines.push(`DELETE FROM ${name};`);
      for (const { row = '' } of found) {
        lines.push(
          `INSERT INTO ${name} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM json_populate_record(NULL::${name}, ${literal(row)});`,
        );
      }
    }
    const sequences = await ask(
      `SELECT sequencename AS name, last_value AS last FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`,
    );
    lines.push(...sequences.map(({ name = '', last = '' }) => `SELECT setval('${name}', ${last});`));
    return { sql: `${lines.join('\n')}\n`, rows };
  } finally {
    await client.end();
  }
};

interface Node {
  readonly url: string;
  readonly adminUrl: string;
}

/** While a node of the version runs. In the development profile it is ready once the demo store has its traffic: then it prints a text. */
const withNode = async <Value>(checkout: string, env: Env, work: (node: Node) => Promise<Value>): Promise<Value> => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', 'start'], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    const addresses = await new Promise<Node>((resolve, reject) => {
      let found = { url: '', adminUrl: '' };
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.includes('"msg":"listening"')) found = JSON.parse(line) as Node;
        if (found.url !== '' && (env['NODE_ENV'] !== 'development' || !line.startsWith('{'))) resolve(found);
      });
      void exited.then(() => {
        reject(new Error('The node ended before it listened.'));
      });
    });
    return await work(addresses);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
};

type Method = 'GET' | 'POST' | 'PUT';
type Ask = <Body>(method: Method, path: string, body?: unknown, more?: Env) => Promise<Body>;

const asking =
  (url: string, headers: Env): Ask =>
  async <Body>(method: Method, path: string, body?: unknown, more: Env = {}) => {
    const answer = await request(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }), ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${String(answer.statusCode)} ${text}`);
    return JSON.parse(text === '' ? 'null' : text) as Body;
  };

const asAdmin = ({ adminUrl }: Node): Ask => asking(adminUrl, { authorization: `Bearer ${ADMIN_TOKEN}` });

interface App {
  readonly clientId: string;
  readonly clientSecret: string;
}

const asApp = async ({ url }: Node, { clientId, clientSecret }: App): Promise<Ask> => {
  const answer = await request(`${url}/apps/token`, {
    method: 'POST',
    headers: { host: DEMO_STORE, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }).toString(),
  });
  const { accessToken } = (await answer.body.json()) as { accessToken: string };
  return asking(url, { host: DEMO_STORE, authorization: `Bearer ${accessToken}` });
};

const idOfDemoStore = async (admin: Ask): Promise<string> => {
  const { items } = await admin<{ items: { id: string; domain: string }[] }>('GET', '/admin/stores?take=10');
  const found = items.find(({ domain }) => domain === DEMO_STORE);
  if (!found) throw new Error('There is no demo store.');
  return found.id;
};

/** Plays an app and a merchant on a node with a worker, beside the data of the demo store. */
const live = async (node: Node, image: string): Promise<App> => {
  const admin = asAdmin(node);
  const storeId = await idOfDemoStore(admin);
  await admin('PUT', `/admin/stores/${storeId}/metaobject-definitions/tone`, {
    name: 'Tone',
    fields: [{ key: 'hex', type: 'color', required: true }],
  });
  const apps = `/admin/stores/${storeId}/apps`;
  const scopes = ['write_products', 'write_metaobjects', 'read_orders'];
  const photos = await admin<App>('POST', apps, { name: 'Photo desk', scopes });
  const gone = await admin<{ installation: { id: string } }>('POST', apps, { name: 'Old stock sync', scopes });
  await admin('POST', `/admin/apps/${gone.installation.id}/uninstall`);
  await admin('POST', '/admin/stores', { domain: 'harbour.example', name: 'Harbour & Pine', currency: 'EUR' });

  const app = await asApp(node, photos);
  const { items } = await app<{ items: { id: string }[] }>('GET', '/apps/catalog/products?take=1');
  const productId = items[0]?.id;
  const rename = { products: [{ id: productId, slug: 'renamed' }] };
  await app('POST', '/apps/catalog/products/bulk', rename, { 'idempotency-key': 'rename-1' });
  await app('PUT', '/custom-data/metaobjects/tone/entries/linen', { fields: { hex: '#f4ede0' } });
  const images = { items: [{ sourceUrl: image, productId, altText: 'A square' }] };
  const { importId } = await app<{ importId: string }>('POST', '/apps/media/imports', images, { 'idempotency-key': 'images-1' });
  for (;;) {
    const { status } = await app<{ status: string }>('GET', `/apps/media/imports/${importId}`);
    if (!/^(Queued|Running)$/.test(status)) break;
    await pause(50);
  }
  const page = { host: DEMO_STORE, 'sec-fetch-site': 'same-origin', 'x-tenon-console': '1' };
  const { clientId, clientSecret } = photos;
  await asking(node.url, page)('POST', '/apps/console/session', { clientId, clientSecret });
  return photos;
};

/** Leaves work for a worker. */
const leaveWork = async (node: Node, photos: App, image: string): Promise<void> => {
  const admin = asAdmin(node);
  const storeId = await idOfDemoStore(admin);
  const app = await asApp(node, photos);
  const { items } = await app<{ items: { id: string }[] }>('GET', '/apps/catalog/products?take=2');
  for (const type of ['order.created', 'order.paid', 'order.shipped']) {
    await admin('POST', `/admin/stores/${storeId}/events`, { type, data: { id: 'order-2001' } });
  }
  const images = items.map(({ id }) => ({ sourceUrl: image, productId: id }));
  await app('POST', '/apps/media/imports', { items: images }, { 'idempotency-key': 'images-2' });
  await admin('POST', `/admin/stores/${storeId}/deliveries/redeliver`, { status: ['Delivered'] });
};

const checkout = await checkOut({ commit });
const folder = await mkdtemp(join(tmpdir(), 'tenon-fixture-'));
closeOnSignal(() => rm(folder, { recursive: true, force: true }));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
const square = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#678' } })
  .png()
  .toBuffer();
const images = createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(square));
images.listen(0, '127.0.0.1');
await once(images, 'listening');
const image = `http://127.0.0.1:${String((images.address() as AddressInfo).port)}/square.png`;
try {
  const { version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as { version: string };
  const env = {
    ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', ADMIN_TOKEN, APP_CONSOLE: 'on' },
    ...{ DATABASE_URL: postgres.url, DATA_DIR: folder, MEDIA_STORAGE: join(folder, 'media'), MEDIA_ALLOWED_CIDRS: '127.0.0.0/8' },
    ...{ SECRET_KEYS: `${KEY},${OLD_KEY}` },
  };
  const tenon = (...words: readonly string[]): void => {
    const given = { cwd: checkout, env: { PATH: process.env['PATH'], ...env }, stdio: 'inherit' as const };
    execFileSync(process.execPath, ['--import', 'tsx', 'src/main.ts', ...words], given);
  };
  const whole = { ...env, NODE_ENV: 'development', SECRET_KEYS: OLD_KEY };
  const photos = await withNode(checkout, whole, (node) => live(node, image));
  tenon('keys', 'rotate');
  await withNode(checkout, { ...env, ROLE: 'api', SECRET_KEYS: KEY }, (node) => leaveWork(node, photos, image));

  const target = join(FOLDER, version);
  await mkdir(target, { recursive: true });
  await rm(join(target, 'backup.tenon'), { force: true });
  tenon('backup', join(target, 'backup.tenon'));
  const { sql, rows } = await dump(postgres.url, `${checkout}/prisma/migrations/`);
  await writeFile(join(target, 'database.sql.gz'), gzipSync(sql, { level: 9 }));
  await writeFile(join(target, 'fixture.json'), `${JSON.stringify({ version, commit, rows }, null, 2)}\n`);
} finally {
  images.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  await rm(checkout, { recursive: true, force: true });
}
