import pg from 'pg';

import { WatchedClient, type WatchedConfig } from './watched-client.ts';

/** A pool of watched connections. Its `connectionTimeoutMillis` is for the wait for one of them. */
export const openWatchedPool = (config: pg.PoolConfig & WatchedConfig): pg.Pool => {
  // The types of node-postgres leave out that it passes the configuration on.
  const pool = new pg.Pool({ ...config, Client: WatchedClient as unknown as new () => pg.ClientBase });
  // A pool removes a connection that ends when it is released. Otherwise a busy one would be used again at once.
  pool.on('release', (_error, client) => {
    if (watched(client).isRetired)
      watched(client)
        .end()
        .catch(() => undefined);
  });
  return pool;
};

export const watched = (client: pg.ClientBase): WatchedClient => {
  if (client instanceof WatchedClient) return client;
  throw new Error('This connection has no deadline: it was not opened by openWatchedPool.');
};
