import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';

import { openDatabase, type Database, type DatabaseOptions } from '../../src/adapters/prisma/connection/database.ts';
import { eventually } from './eventually.ts';
import { named, queryOn } from './query-on.ts';

/** Runs any SQL of a test, which no declaration describes. */
export interface AnySql {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export type TestDatabase = Database & AnySql & { readonly url: string };

export const anySql = ({ pool }: Pick<Database, 'pool'>): AnySql => ({
  query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Row>(text, [...values])).rows,
});

const administer = async (sql: string): Promise<void> => {
  for (const url of inject('serverUrls')) await queryOn(named(url, 'postgres'), sql);
};

/** An empty, migrated database of the caller's own; `close()` drops it. */
export const openTestDatabase = async (options: Omit<DatabaseOptions, 'url'> = {}): Promise<TestDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE tenon STRATEGY FILE_COPY`);
  const url = named(inject('templateUrl'), name);
  const database = openDatabase({ url, ...options });
  return {
    ...database,
    ...anySql(database),
    url,
    close: async () => {
      await database.close();
      // A node of a Citus cluster comes back to a database that goes.
      await eventually(() => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
};

/** Opens an empty database and returns only its address. */
export const createEmptyDatabase = async (): Promise<{ url: string; drop: () => Promise<void> }> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name}`);
  return { url: named(inject('templateUrl'), name), drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) };
};
