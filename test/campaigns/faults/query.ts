import pg from 'pg';

/** Runs a statement on a connection of the campaign's own, past every proxy. */
export const query = async <Row extends object>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The connection may lead to a server that is about to end.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
};
