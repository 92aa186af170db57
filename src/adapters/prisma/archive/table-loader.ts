import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

import { StartFailure } from '../../startup/start-failure.ts';
import type { CopiedTable, CopyConnection } from '../connection/copy-connection.ts';

export interface TableLoader {
  write(table: string, lines: Buffer): Promise<void>;
  end(): Promise<void>;
}

const UNIQUE_VIOLATION = '23505';

/** PostgreSQL's detail is left out: it may have a value that a log must not. */
export const refused = (table: string, error: unknown): Error => {
  if (!(error instanceof Error) || !('code' in error)) return error instanceof Error ? error : new Error(String(error));
  const why = error.code === UNIQUE_VIOLATION ? 'a row with the same id already exists' : error.message;
  return new StartFailure(`The database refused the rows of ${table}: ${why}. Nothing was changed.`, { cause: error });
};

interface Copy {
  readonly table: string;
  readonly stream: Writable;
  readonly done: Promise<void>;
}

/** Writes lines into the tables, one table after the other, as fast as the database takes them. */
export const createTableLoader = (connection: CopyConnection, tables: readonly CopiedTable[]): TableLoader => {
  let copy: Copy | null = null;

  const start = (name: string): Copy => {
    const table = tables.find((one) => one.name === name);
    if (table === undefined) throw new Error(`${name} is not one of the tables`);
    const stream = connection.copyIn(table);
    const done = finished(stream).catch((error: unknown) => {
      throw refused(name, error);
    });
    // The promise is awaited at the end, and may fail before.
    done.catch(() => undefined);
    return { table: name, stream, done };
  };
  const end = async (): Promise<void> => {
    copy?.stream.end();
    await copy?.done;
    copy = null;
  };

  return {
    write: async (table, lines) => {
      if (copy?.table !== table) {
        await end();
        copy = start(table);
      }
      const { stream, done } = copy;
      if (stream.destroyed) await done;
      if (!stream.write(lines)) await Promise.race([once(stream, 'drain').catch(() => done), done]);
    },
    end,
  };
};
