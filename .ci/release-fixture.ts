import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';

import { createLogger } from '../src/adapters/node/logger.ts';
import { FOLDER, insideTransaction, readMigrations, TABLE } from '../src/adapters/prisma/connection/migrations.ts';
import { VERSION } from '../src/adapters/startup/version.ts';
import { backup } from '../src/adapters/wiring/archive/backup.ts';
import { reachDatabase } from '../src/adapters/wiring/archive/reach-database.ts';
import { parseConfig, type Config } from '../src/adapters/wiring/settings/config.ts';
import { start } from '../src/adapters/wiring/start.ts';

/**
 * `node --import tsx .ci/release-fixture.ts` writes test/fixtures/releases/<version>: what this
 * version leaves in a database, as SQL, and as a backup. Tests upgrade both.
 */
const TARGET = new URL(`../test/fixtures/releases/${VERSION}/`, import.meta.url);

/** Of the fixtures only, so that a test can open what they have sealed. */
const SECRET_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The migrations, and the rows of each table as JSON, which keeps every type but the generated columns. */
const dump = async (url: string): Promise<{ sql: string; rows: Record<string, number> }> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const ask = async (text: string, values: unknown[] = []) => (await client.query<Record<string, string>>(text, values)).rows;
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const lines = (await readMigrations(FOLDER)).map(insideTransaction);
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

const folder = await mkdtemp(join(tmpdir(), 'tenon-release-'));
try {
  const parsed = parseConfig({
    ...{ NODE_ENV: 'development', DATA_DIR: folder, SECRET_KEYS, ADMIN_TOKEN: 'admin-token-of-the-fixtures' },
    ...{ PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' },
  });
  if (!parsed.ok) throw new Error(parsed.message);
  const config = parsed.value as Config;
  await mkdir(TARGET, { recursive: true });
  await (await start(config, createLogger('silent'))).stop();
  const database = await reachDatabase(config);
  try {
    const file = new URL('backup.tenon', TARGET).pathname;
    await rm(file, { force: true });
    await backup({ ...config, DATABASE_URL: database.url }, { file });
    const { sql, rows } = await dump(database.url);
    await writeFile(new URL('database.sql.gz', TARGET), gzipSync(sql, { level: 9 }));
    await writeFile(new URL('fixture.json', TARGET), `${JSON.stringify({ version: VERSION, rows }, null, 2)}\n`);
  } finally {
    await database.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
