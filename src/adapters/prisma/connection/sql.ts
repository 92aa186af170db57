import { createHash } from 'node:crypto';

/** Where SQL goes: the pool, or one transaction's connection. */
export interface Sql {
  /** Runs one prepared statement. `text` must be a constant, or one of few: each text stays prepared on its connection. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** One transaction's connection. */
export interface TransactionSql extends Sql {
  /**
   * Sends one prepared statement without waiting for its answer: with what follows in the same turn, the COMMIT included, it is one write
   * and one wait. Statements are carried out in the order they were sent. One that fails ends the transaction, which throws its error.
   */
  send(text: string, values?: readonly unknown[]): Promise<void>;
}

const names = new Map<string, string>();

const nameOf = (text: string): string => {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
};

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** A statement under a name of its own, by which a connection knows it once it has met it. */
export const prepared = (text: string, values: readonly unknown[] = []) => ({ name: nameOf(text), text, values: [...values] });
