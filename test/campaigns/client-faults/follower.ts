import pg from 'pg';

import { Tenon } from '../../../clients/typescript/src/index.ts';
import { receiver } from '../../../clients/typescript/src/webhooks.ts';

const { STORE: store = '', CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '', DATABASE_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });

const begin = async (work: (tx: pg.PoolClient) => Promise<void>): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
};
const seen = async (tx: pg.PoolClient, id: string): Promise<boolean> =>
  (await tx.query('INSERT INTO app.seen VALUES ($1) ON CONFLICT DO NOTHING', [id])).rowCount === 0;

const hooks = receiver({ secrets: ['whsec_bm90IHVzZWQ='], once: { begin, seen } }).otherwise((event, { tx }) =>
  tx.query('INSERT INTO app.handled VALUES ($1)', [event.id]),
);

const cursor = {
  load: async (): Promise<string | null> =>
    (await pool.query<{ cursor: string }>('SELECT cursor FROM app.cursor')).rows[0]?.cursor ?? null,
  save: (value: string) =>
    pool.query('INSERT INTO app.cursor VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET cursor = $1', [value]),
};

const tenon = new Tenon({ store, clientId, clientSecret, maxAttempts: Infinity });
const following = tenon.events.follow({ after: await cursor.load(), save: cursor.save, types: ['product.updated'] });
for await (const event of following) {
  await hooks.handle(event);
  process.stdout.write(`${JSON.stringify(event.id)}\n`);
}
