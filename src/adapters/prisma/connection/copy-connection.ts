import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

import { run } from './prepared-query.ts';
import { sqlOver } from './sql.ts';
import type { Sql } from './sql.ts';
import { unreachable } from './unreachable.ts';

/** A table, or the rows of a query, with the columns that are copied. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The table that its rows are written to, if it is another one. */
  readonly into?: string;
}

/**
 * One connection for COPY, which the pool's pipelined connections do not know. Its statements have
 * no limit of time, because a table may be large and a disk slow.
 */
export interface CopyConnection {
  readonly sql: Sql;
  /** Runs a script of several statements. */
  run(script: string): Promise<void>;
  /** The rows that meet the condition, as lines of text in the format of COPY. */
  copyOut(table: CopiedTable, condition: string): Readable;
  /** Takes the lines that `copyOut` gave. It finishes when the database has them. */
  copyIn(table: CopiedTable): Writable;
  /** The first of the tables that has a row, or null. */
  firstWithRows(tables: readonly string[]): Promise<string | null>;
  close(): Promise<void>;
}

/** So that the text means the same in every session and in every version. */
const SETTINGS = [
  "SET client_encoding = 'UTF8'",
  "SET DateStyle = 'ISO'",
  "SET TimeZone = 'UTC'",
  'SET extra_float_digits = 1',
  "SET bytea_output = 'hex'",
  'SET statement_timeout = 0',
  // A server that runs may hold what a restore needs for itself.
  "SET lock_timeout = '30s'",
  'SET idle_in_transaction_session_timeout = 0',
].join('; ');

const quoted = (name: string): string => pg.escapeIdentifier(name);
const listed = ({ columns }: CopiedTable): string => columns.map(quoted).join(', ');

/** Opens the connection. Throws a StartFailure when the database can't be reached. */
export const openCopyConnection = async (url: string): Promise<CopyConnection> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tenon backup', connectionTimeoutMillis: 10_000 });
  // A lost connection also fails the statement that waits for it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(SETTINGS);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw unreachable(error);
  }
  return {
    sql: sqlOver((bound) => run(client, bound)),
    run: async (script) => {
      await client.query(script);
    },
    copyOut: (table, condition) =>
      client.query(copyTo(`COPY (SELECT ${listed(table)} FROM ${quoted(table.name)} WHERE ${condition}) TO STDOUT`)),
    copyIn: (table) => client.query(copyFrom(`COPY ${quoted(table.into ?? table.name)} (${listed(table)}) FROM STDIN`)),
    firstWithRows: async (tables) => {
      const each = tables.map((name) => `SELECT ${pg.escapeLiteral(name)} AS name WHERE EXISTS (SELECT FROM ${quoted(name)})`);
      if (each.length === 0) return null;
      const { rows } = await client.query<{ name: string }>(`${each.join(' UNION ALL ')} LIMIT 1`);
      return rows[0]?.name ?? null;
    },
    close: () => client.end(),
  };
};
