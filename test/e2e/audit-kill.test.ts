import pg from 'pg';
import { expect, it } from 'vitest';

import { asAdmin, startProcess } from '../support/server.ts';
import { openTestDatabase } from '../support/postgres.ts';

it('a server that is killed while a change runs leaves its entry, without an outcome', async () => {
  const database = await openTestDatabase();
  const server = await startProcess({ databaseUrl: database.url, env: { ROLE: 'api' } });
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    const made = await asAdmin(server, 'POST', '/admin/stores', { domain: 'shop.example' });
    const { id } = JSON.parse(made.body) as { id: string };
    // The change waits for the row, between its entry and its outcome.
    await holder.query('BEGIN');
    await holder.query('SELECT FROM stores WHERE id = $1 FOR UPDATE', [id]);
    const changing = asAdmin(server, 'PATCH', `/admin/stores/${id}`, { name: 'Never known' }).catch(() => null);
    const entries = async (): Promise<number> => {
      const [row] = await database.query<{ n: number }>('SELECT count(*)::int AS n FROM audit_log WHERE store_id = $1', [id]);
      return row?.n ?? 0;
    };
    await expect.poll(entries, { timeout: 30_000 }).toBe(1);
    server.kill('SIGKILL');
    await server.exited;
    expect(await changing).toBeNull();
    await holder.query('ROLLBACK');

    const next = await startProcess({ databaseUrl: database.url, env: { ROLE: 'api' } });
    try {
      const audit = await asAdmin(next, 'GET', `/admin/audit?store=${id}`);
      expect(JSON.parse(audit.body)).toMatchObject({ items: [{ route: 'PATCH /admin/stores/:storeId', outcome: null }] });
      await asAdmin(next, 'PATCH', `/admin/stores/${id}`, { name: 'Known' });
      const { invariants } = JSON.parse((await asAdmin(next, 'GET', '/admin/verify')).body) as {
        invariants: { name: string; violated: number; counted: number }[];
      };
      expect(invariants.find(({ name }) => name === 'audit_chained')).toMatchObject({ violated: 0, counted: 5 });
    } finally {
      await next.end();
    }
  } finally {
    await holder.end();
    await server.end();
    await database.close();
  }
});
