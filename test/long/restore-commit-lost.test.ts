import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startLocally } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { aStoreWithApp, type StoreWithApp } from '../support/server.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';
import { runTenonCommand } from '../support/tenon-command.ts';

const IMAGE = Buffer.from('an image');
const FILE = `${createHash('sha256').update(IMAGE).digest('hex')}.png`;
/** The whole message: an import also says ON COMMIT DROP. */
const COMMIT = 'COMMIT\0';

let folder: string;
let source: TestDatabase;
let app: StoreWithApp;
const files = { backup: '', store: '' };

/** `MEDIA_STORAGE` is a folder of that name. */
const run = (args: readonly string[], url: string, media: string) =>
  runTenonCommand(args, { DATABASE_URL: url, MEDIA_STORAGE: join(folder, media) }).ended;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-commit-lost-'));
  source = await openTestDatabase();
  const server = await startLocally({ databaseUrl: source.url, env: { ROLE: 'api' } });
  app = await aStoreWithApp(server, { products: 1 });
  await server.end();
  await mkdir(join(folder, 'source', app.storeId), { recursive: true });
  await writeFile(join(folder, 'source', app.storeId, FILE), IMAGE);
  const key = `${app.storeId}/${FILE}`;
  await source.query(`INSERT INTO media_files VALUES ($1, $2, 'image/png', 8, 1, 1, now())`, [app.storeId, key]);
  for (const name of ['backup', 'store'] as const) files[name] = join(folder, name);
  const written = [
    await run(['backup', '--media', files.backup], source.url, 'source'),
    await run(['store', 'export', '--media', app.storeId, files.store], source.url, 'source'),
  ];
  expect(written.map(({ status }) => status)).toEqual([0, 0]);
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true });
});

it.each([
  { what: 'a restore', args: () => ['restore', files.backup], says: 'restored', refusal: 'The database is not empty' },
  {
    what: 'an import of a store',
    args: () => ['store', 'import', files.store],
    says: 'imported',
    refusal: 'This database has a store with the id or the domain',
  },
])(
  '$what whose answer to COMMIT is lost says that its outcome is not known, and keeps the images of what was committed',
  async ({ what, args, says, refusal }) => {
    const target = await openTestDatabase();
    const proxy = await openTcpProxy(target.url);
    try {
      let hasLanded = false;
      void proxy.loseAnswerTo(COMMIT).then(() => {
        hasLanded = true;
      });
      const { status, said } = await run(args(), proxy.url, what);
      expect(hasLanded).toBe(true);
      expect(await target.query('SELECT id FROM stores')).toEqual([{ id: app.storeId }]);
      expect(await readdir(join(folder, what, app.storeId))).toEqual([FILE]);
      expect(status).toBe(1);
      expect(said).toMatch(new RegExp(`it is not known whether \\S+ was ${says}: repeat the command`));
      expect(said).not.toMatch(/\n\s+at /);

      // The advised command finds the rows, and removes nothing.
      const again = await run(args(), target.url, what);
      expect(again.status).toBe(1);
      expect(again.said).toContain(refusal);
      expect(await readdir(join(folder, what, app.storeId))).toEqual([FILE]);
    } finally {
      await proxy.close();
      await target.close();
    }
  },
);

it('whose COMMIT is refused takes its images away again', async () => {
  const target = await openTestDatabase();
  try {
    await target.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''not this one''; END'`);
    await target.query(
      'CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON stores DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    const { status, said } = await run(['store', 'import', files.store], target.url, 'refused');
    expect([status, said]).toEqual([1, expect.stringContaining('not this one')]);
    expect(await target.query('SELECT id FROM stores')).toEqual([]);
    expect(await readdir(join(folder, 'refused', app.storeId)).catch(() => [])).toEqual([]);
  } finally {
    await target.close();
  }
});
