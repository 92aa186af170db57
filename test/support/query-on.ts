import pg from 'pg';

/** Address of another database on the same server. */
export const named = (url: string, name: string): string => url.replace(/\/[^/?]*\?/, `/${name}?`);

/** Sends the statements one after the other, over a connection of their own. */
export const queryOn = async (url: string, ...texts: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
};
