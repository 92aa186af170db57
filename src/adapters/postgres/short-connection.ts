import pg from 'pg';

/** Opens a connection for one question, and gives up after this many milliseconds in all. */
export const withShortConnection = async <T>(
  url: string,
  name: string,
  limitMs: number,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: name });
  // A lost connection also fails what waits for it.
  client.on('error', () => undefined);
  // The socket is node-postgres's own: it ends a connection that is silent. The plain line, `client.end()`, waits for the server.
  const late = setTimeout(() => client.connection.stream.destroy(new Error('does not answer')), limitMs);
  client.once('end', () => {
    clearTimeout(late);
  });
  try {
    await client.connect();
    return await ask(client);
  } finally {
    // The timer ends it, should the server not.
    client.end().catch(() => undefined);
  }
};
