import { Pool, type PoolClient } from 'pg';

/** `seen` has the ids of the events that were handled, and `feed` where the next walk of the feed begins. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS products (id uuid PRIMARY KEY, name text NOT NULL);
  CREATE INDEX IF NOT EXISTS products_name ON products USING gin (to_tsvector('simple', name));
  CREATE TABLE IF NOT EXISTS seen (id uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS feed (one boolean PRIMARY KEY DEFAULT true CHECK (one), cursor text NOT NULL);
  CREATE TABLE IF NOT EXISTS jobs (key text PRIMARY KEY, changes jsonb NOT NULL);
  DELETE FROM seen WHERE at < now() - interval '30 days'`;

const MATCHES = `to_tsvector('simple', name) @@ websearch_to_tsquery('simple', $1)`;

export interface Found {
  readonly id: string;
  readonly name: string;
}

export type Index = Awaited<ReturnType<typeof openIndex>>;

/** The app's own PostgreSQL. What takes a `tx` belongs to a transaction of the caller. */
export const openIndex = async (connectionString: string) => {
  const pool = new Pool({ connectionString });
  // Errors of idle connections, which the pool replaces. Without a listener, they would end the process.
  pool.on('error', (error) => console.error(`A connection to the index was lost: ${error.message}`));
  await pool.query(SCHEMA);
  return {
    /** Commits when the work resolves, and rolls back when it rejects. */
    transaction: async (work: (tx: PoolClient) => Promise<void>): Promise<void> => {
      const tx = await pool.connect();
      try {
        await tx.query('BEGIN');
        await work(tx);
        await tx.query('COMMIT');
      } catch (error) {
        await tx.query('ROLLBACK');
        throw error;
      } finally {
        tx.release();
      }
    },
    /** Marks an event as seen, and says whether it was already. */
    seen: async (tx: PoolClient, id: string): Promise<boolean> =>
      (await tx.query('INSERT INTO seen (id) VALUES ($1) ON CONFLICT DO NOTHING', [id])).rowCount === 0,
    /** Makes others who lock the same product wait until this transaction ends. */
    lock: (tx: PoolClient, id: string) => tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [id]),
    /** The name of a product, or null when there is no such product any more. */
    put: (tx: PoolClient, id: string, name: string | null) =>
      name === null
        ? tx.query('DELETE FROM products WHERE id = $1', [id])
        : tx.query('INSERT INTO products VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = $2', [id, name]),
    /** Waits for the events that are being handled, and holds back those that follow. Each takes `seen` first as well. */
    clear: (tx: PoolClient) => tx.query('TRUNCATE seen, products'),
    search: async (words: string): Promise<Found[]> =>
      (await pool.query<Found>(`SELECT id, name FROM products WHERE ${MATCHES} ORDER BY name, id LIMIT 250`, [words])).rows,
    cursor: async (): Promise<string | null> =>
      (await pool.query<{ cursor: string }>('SELECT cursor FROM feed')).rows[0]?.cursor ?? null,
    saveCursor: (cursor: string, tx: Pool | PoolClient = pool) =>
      tx.query('INSERT INTO feed (cursor) VALUES ($1) ON CONFLICT (one) DO UPDATE SET cursor = $1', [cursor]),
    /** The changes of a job. Those that it was given first count, so that a job that runs again does the same. */
    job: async <Change>(key: string, changes: readonly Change[]): Promise<Change[]> => {
      await pool.query('INSERT INTO jobs VALUES ($1, $2) ON CONFLICT DO NOTHING', [key, JSON.stringify(changes)]);
      return (await pool.query<{ changes: Change[] }>('SELECT changes FROM jobs WHERE key = $1', [key])).rows[0]?.changes ?? [];
    },
    close: () => pool.end(),
  };
};
