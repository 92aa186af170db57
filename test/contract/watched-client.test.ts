import pg from 'pg';
import { expect, it, vi } from 'vitest';

import { serversAt } from '../../src/adapters/postgres/servers.ts';
import { statementLimit, Watch } from '../../src/adapters/postgres/watch.ts';
import { WatchedClient } from '../../src/adapters/postgres/watched-client.ts';
import { createEmptyDatabase } from '../support/postgres.ts';

it('what a connection waits for on the server ends with it', async () => {
  const { url, drop } = await createEmptyDatabase();
  const holder = new pg.Client({ connectionString: url });
  const client = new WatchedClient({ connectionString: url, connectMs: 5_000, watch: new Watch({ limit: statementLimit(0) }) });
  try {
    await Promise.all([holder.connect(), client.connect()]);
    await holder.query('SELECT pg_advisory_lock(1)');
    const pid = client.backend?.pid;
    const waiting = client.query('SELECT pg_advisory_lock(1)').catch((error: unknown) => error);
    const states = async () =>
      (await holder.query<{ state: string | null }>('SELECT wait_event AS state FROM pg_stat_activity WHERE pid = $1', [pid]))
        .rows;
    await expect.poll(states).toEqual([{ state: 'advisory' }]);
    client.destroy(new Error('it was killed'));
    expect(await waiting).toBeInstanceOf(Error);
    await expect.poll(states).toEqual([]);
  } finally {
    await holder.end();
    await drop();
  }
});

it('is kept by nobody when it ends, also where its user has removed all its listeners', async () => {
  const { url, drop } = await createEmptyDatabase();
  const watch = new Watch({ limit: statementLimit(0) });
  const forgotten = [vi.spyOn(watch, 'remove'), vi.spyOn(serversAt(url), 'remove')];
  const client = new WatchedClient({ connectionString: url, connectMs: 5_000, watch });
  try {
    await client.connect();
    for (const remove of forgotten) expect(remove).not.toHaveBeenCalled();
    // Removes the listeners, as BullMQ does on its listening connection.
    client.removeAllListeners();
    await client.end();
    for (const remove of forgotten) expect(remove).toHaveBeenCalledExactlyOnceWith(client);
  } finally {
    await drop();
  }
});
