import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { besideOlder, FOLDER, outsideTransaction, readMigrations } from '../../src/adapters/prisma/connection/migrations.ts';
import { MAY_BE_BIG } from '../support/big-tables.ts';
import { RELEASES } from '../support/releases.ts';

/** Databases have applied it and those before it, so they stay as they are. */
const LAST_BEFORE_THE_RULE = '20261123190601_store_erasures';

const INDEX =
  /CREATE\s+(?:UNIQUE\s+)?INDEX\s+(CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?\s+ON\s+(?:ONLY\s+)?"?(\w+)"?/gi;
const CREATED = /CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/gi;
/** A key that brings an index of its own, unless it takes one that exists. */
const KEY =
  /ALTER\s+TABLE\s+(?:ONLY\s+)?"?(\w+)"?[^;]*ADD\s+(?:CONSTRAINT\s+"?\w+"?\s+)?(?:UNIQUE|PRIMARY\s+KEY)(?!\s+USING\s+INDEX)/gi;

/** Finds steps of a migration that stop the writes to a big table. */
const faultsOf = (name: string, text: string): string[] => {
  const script = text.replaceAll(/^--.*$/gm, '');
  const created = new Set([...script.matchAll(CREATED)].map(([, table]) => table));
  const locks = (table: string | undefined): boolean => MAY_BE_BIG.has(table ?? '') && !created.has(table);
  const indexes = [...script.matchAll(INDEX)].flatMap(([, beside, index, table]) => {
    if (beside !== undefined)
      return outsideTransaction({ name, script: text }) === null ? [`${index ?? ''} needs the first line`] : [];
    return locks(table) ? [`${index ?? ''} locks ${table ?? ''}`] : [];
  });
  return [...indexes, ...[...script.matchAll(KEY)].flatMap(([, table]) => (locks(table) ? [`a key locks ${table ?? ''}`] : []))];
};

it('no migration builds an index on a big table while it keeps the writes out', () => {
  const folders = readdirSync('prisma/migrations').filter(
    (name) => name > LAST_BEFORE_THE_RULE && name !== 'migration_lock.toml',
  );
  const faults = folders.flatMap((name) => faultsOf(name, readFileSync(`prisma/migrations/${name}/migration.sql`, 'utf8')));
  expect(faults).toEqual([]);
});

it.each([
  ['an index', 'CREATE INDEX "x" ON "deliveries"("id");', ['x locks deliveries']],
  ['a unique index', 'CREATE UNIQUE INDEX x ON events (id)', ['x locks events']],
  ['a key', 'ALTER TABLE "feed" ADD CONSTRAINT "k" UNIQUE ("event_id");', ['a key locks feed']],
  ['an index beside the writes, in a transaction', 'CREATE INDEX CONCURRENTLY x ON events (id)', ['x needs the first line']],
  ['an index on a table of the same migration', 'CREATE TABLE "feed" (a int); CREATE INDEX x ON feed (a);', []],
  ['an index on a small table', 'CREATE INDEX x ON stores (id)', []],
  ['an index beside the writes', '-- Outside a transaction.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS x ON events (id);', []],
])('%s is judged', (_what, script, faults) => {
  expect(faultsOf('planted', script)).toEqual(faults);
});

it('the rule finds the index that an old migration built on a big table', () => {
  const script = readFileSync('prisma/migrations/20261122210000_order_events/migration.sql', 'utf8');
  expect(faultsOf('20261122210000_order_events', script)).toEqual(['events_order_idx locks events']);
});

it('since the last release, no migration comes after one that waits for the older processes', async () => {
  const released = Math.max(...RELEASES.map(({ rows }) => rows['_prisma_migrations'] ?? 0));
  const since = (await readMigrations(FOLDER)).slice(released);
  const waiting = besideOlder(since).filter(({ script }) => script.startsWith('-- After the older processes.'));
  // The upgrade would apply it while they run. Give the new migration an earlier name.
  expect(waiting.map(({ name }) => name)).toEqual([]);
});
