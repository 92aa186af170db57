import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { INVARIANT_NAMES } from '../../src/domain/insight/invariants.ts';
import { LEFT_OUT } from '../../src/adapters/prisma/archive/tables.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { migrate, migrationsCheck } from '../../src/adapters/prisma/connection/migrate.ts';
import { invariants } from '../../src/adapters/prisma/webhooks/invariants.ts';
import { restore } from '../../src/adapters/wiring/archive/restore.ts';
import { parseConfig, type Config } from '../../src/adapters/wiring/settings/config.ts';
import { anySql, createEmptyDatabase } from '../support/postgres.ts';
import { fileOf, load, RELEASES } from '../support/releases.ts';
import { SETTINGS } from '../support/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'tenon-releases-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const MAX_BYTES = 200_000;

/** Tables that have rows only for a while. */
const SHORT_LIVED: ReadonlySet<string> = new Set(['delivery_endings', 'store_erasures']);

/** Waiting work of a fixture is due since it was written, and no worker runs here. */
const NEEDS_WORKER: ReadonlySet<string> = new Set(['events_fanned_out', 'deliveries_served']);
const JUDGED = INVARIANT_NAMES.filter((name) => !NEEDS_WORKER.has(name));
const HOLDS = Object.fromEntries(JUDGED.map((name) => [name, 0]));

/** A database with what `fill` puts into it, at the present schema: its rows of these tables, and what violates an invariant. */
const upgraded = async (tables: readonly string[], fill: (url: string) => Promise<void>) => {
  const { url, drop } = await createEmptyDatabase();
  const database = openDatabase({ url });
  try {
    await fill(url);
    await migrate(database);
    const sql = anySql(database);
    const rows: Record<string, number> = {};
    for (const table of tables) {
      const [counted] = await sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
      rows[table] = counted?.n ?? 0;
    }
    const violated: Record<string, number | undefined> = {};
    for (const name of JUDGED) {
      violated[name] = (await invariants(database).check(name, 10_000, 550))?.violated;
    }
    const names = await sql.query<{ name: string }>('SELECT name FROM products ORDER BY name');
    return { isMigrated: await migrationsCheck(database)(), rows, violated, names: names.map(({ name }) => name) };
  } finally {
    await database.close();
    await drop();
  }
};

describe.each(RELEASES)('what $version left is upgraded to the present schema', (release) => {
  const { version, rows } = release;
  const kept = Object.fromEntries(Object.entries(rows).filter(([table]) => table !== '_prisma_migrations'));
  const backedUp = Object.fromEntries(Object.entries(kept).filter(([table]) => !Object.hasOwn(LEFT_OUT, table)));

  it('its database, with every row, and all invariants hold', async () => {
    const found = await upgraded(Object.keys(kept), (url) => load(release, url));
    expect(found).toMatchObject({ isMigrated: true, rows: kept, violated: HOLDS });
    expect(found.names).toContain('Block plane');
  });

  it('its backup, with every row, and all invariants hold', async () => {
    const parsed = parseConfig({ ...SETTINGS, DATA_DIR: dataDir });
    if (!parsed.ok) throw new Error(parsed.message);
    const settings = parsed.value as Config;
    const found = await upgraded(Object.keys(backedUp), async (url) => {
      await restore({ ...settings, DATABASE_URL: url }, { file: fileOf(version, 'backup.tenon') });
    });
    expect(found).toMatchObject({ isMigrated: true, rows: backedUp, violated: HOLDS });
    // No server starts without the directory of the files that the rows name.
    expect(readdirSync(dataDir)).toContain('media');
  });

  it('it has rows in each table, so that a migration finds some', () => {
    const empty = Object.entries(rows).filter(([table, count]) => count === 0 && !SHORT_LIVED.has(table));
    expect(empty).toEqual([]);
  });

  it('its files are small', () => {
    const bytes = readdirSync(fileOf(version, '.')).map((name) => statSync(fileOf(version, name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  });
});
