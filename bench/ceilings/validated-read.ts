import { ITEMS, TOKEN_AND_VERSION, VERSIONED_DETAIL, VERSIONS } from './read-statements.ts';
import { serveCeiling, sendJson, whole } from './serve.ts';

interface Kept {
  readonly version: string;
  readonly body: Buffer;
}

interface Item {
  readonly id: string;
  readonly version: string;
  readonly text: string;
}

const ID_LENGTH = 36;

/**
 * A validated cache by hand: rendered documents stay in memory without a bound, and PostgreSQL is
 * asked for the token and the version at each request. The list's total is known beforehand.
 */
serveCeiling(({ app, database, facts, credentials, asCaller }) => {
  const details = new Map<string, Kept>();
  const items = new Map<string, Item>();

  const detailOf = async (storeId: string, id: string, version: string): Promise<Buffer> => {
    const kept = details.get(id);
    if (kept?.version === version) return kept.body;
    const { rows } = await database.query<Item>({ name: 'detail', text: VERSIONED_DETAIL, values: [storeId, id] });
    const body = Buffer.from(rows[0]?.text ?? '');
    details.set(id, { version: rows[0]?.version ?? '', body });
    return body;
  };

  app.get('/apps/catalog/products/:id', async (req, res) => {
    const values = [...credentials(req), req.params.id];
    const { rows } = await database.query<{ storeId: string; version: string }>({
      name: 'version',
      text: TOKEN_AND_VERSION,
      values,
    });
    const [row] = rows;
    if (!row) res.status(401).end();
    else if (row.version === '') res.status(404).end();
    else sendJson(res, await detailOf(row.storeId, req.params.id, row.version));
  });

  app.get(
    '/apps/catalog/products',
    asCaller(async (req, res, { storeId }) => {
      const [skip, take] = [whole(req.query['skip'], 0), whole(req.query['take'], 50)];
      const { rows } = await database.query<{ entries: string | null }>({
        name: 'versions',
        text: VERSIONS,
        values: [storeId, skip, take],
      });
      const entries = rows[0]?.entries?.split(',') ?? [];
      const missing = entries.filter((entry) => items.get(entry.slice(0, ID_LENGTH))?.version !== entry.slice(ID_LENGTH));
      if (missing.length > 0) {
        const ids = missing.map((entry) => entry.slice(0, ID_LENGTH));
        const rendered = await database.query<Item>({ name: 'items', text: ITEMS, values: [storeId, ids] });
        for (const item of rendered.rows) items.set(item.id, item);
      }
      const texts = entries.map((entry) => items.get(entry.slice(0, ID_LENGTH))?.text).join(',');
      sendJson(res, `{"items":[${texts}],"skip":${skip},"take":${take},"total":${facts['total'] ?? ''}}`);
    }),
  );
});
