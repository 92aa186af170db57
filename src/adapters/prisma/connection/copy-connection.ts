import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

import { askOver } from '../../postgres/backends.ts';
import { statementLimit, Watch } from '../../postgres/watch.ts';
import { WatchedClient } from '../../postgres/watched-client.ts';
import { unreachable } from '../../startup/start-failure.ts';
import type { ArchivedTable } from '../../storage/archive.ts';
import { run } from './prepared-query.ts';
import { sqlOver, type Sql } from './sql.ts';

export interface CopiedTable extends ArchivedTable {
  readonly into?: string;
}

/** A query that is asked only whether it has a row. */
export interface NamedQuery {
  readonly name: string;
  readonly query: string;
}

/**
 * A connection for COPY, which the pool's pipelined connections do not know. The server does not
 * limit its statements, because a table may be large and a disk slow.
 */
export interface CopyConnection {
  readonly sql: Sql;
  run(script: string): Promise<void>;
  copyOut(table: CopiedTable, condition: string): Readable;
  /** Takes the lines that `copyOut` gave. It finishes when the database has them. */
  copyIn(table: CopiedTable): Writable;
  /** The name of the first query that has a row, or null. Each query gives a column: a Citus cluster hands no rows without one from node to node. */
  firstWithRows(queries: readonly NamedQuery[]): Promise<string | null>;
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

const CONNECT_MS = 10_000;
const ASK_ANSWER_MS = 2_000;

const quoted = (name: string): string => pg.escapeIdentifier(name);
const listed = ({ columns }: CopiedTable): string => columns.map(quoted).join(', ');

/** Opens the connection. Throws a StartFailure when the database can't be reached. */
export const openCopyConnection = async (url: string): Promise<CopyConnection> => {
  const client = new WatchedClient({
    connectionString: url,
    application_name: 'tenon backup',
    connectMs: CONNECT_MS,
    watch: new Watch({ limit: statementLimit(0), ask: askOver(url, ASK_ANSWER_MS) }),
  });
  try {
    await client.connect();
    await client.prepare(async () => {
      await client.query(SETTINGS);
    });
  } catch (error) {
    await client.end().catch(() => undefined);
    throw unreachable(error);
  }
  return {
    sql: sqlOver((bound) => run(client, bound)),
    run: async (script) => {
      await client.query(script);
    },
    copyOut: (table, condition) => {
      const lines = client.query(
        copyTo(`COPY (SELECT ${listed(table)} FROM ${quoted(table.name)} WHERE ${condition}) TO STDOUT`),
      );
      client.copying = lines;
      return lines;
    },
    copyIn: (table) => {
      const lines = client.query(copyFrom(`COPY ${quoted(table.into ?? table.name)} (${listed(table)}) FROM STDIN`));
      client.copying = lines;
      return lines;
    },
    firstWithRows: async (queries) => {
      const each = queries.map(({ name, query }) => `SELECT ${pg.escapeLiteral(name)} AS name WHERE EXISTS (${query})`);
      if (each.length === 0) return null;
      const { rows } = await client.query<{ name: string }>(`${each.join(' UNION ALL ')} LIMIT 1`);
      return rows[0]?.name ?? null;
    },
    close: () => client.end(),
  };
};
