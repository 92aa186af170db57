import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';

export interface StoredPepper {
  /** SHA-256 of the pepper, in hex. */
  readonly id: string;
  readonly sealed: string;
}

const LIST = statement({
  text: `SELECT encode(id, 'hex') AS id, sealed FROM retired_peppers`,
  row: { id: 'text', sealed: 'text' },
});

const PUT = statement({
  text: `
    INSERT INTO retired_peppers (id, sealed) VALUES (decode($id, 'hex'), $sealed)
    ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed`,
  parameters: { id: 'text', sealed: 'text' },
});

/** The peppers of keys that SECRET_KEYS may not have any more. */
export const retiredPeppers = (database: Database) => ({
  list: (): Promise<StoredPepper[]> => database.rows(LIST),
  put: async (pepper: StoredPepper): Promise<void> => {
    await database.execute(PUT, { id: pepper.id, sealed: pepper.sealed });
  },
});
