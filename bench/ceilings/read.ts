import { COLLECTION, DETAIL, LIST } from './read-statements.ts';
import { serveCeiling, sendJson, whole } from './serve.ts';

/**
 * The reads by hand. The list's total is known beforehand; nothing is validated, limited, logged or
 * counted.
 */
serveCeiling(({ app, database, facts, asCaller }) => {
  app.get(
    '/apps/catalog/products',
    asCaller(async (req, res, { storeId }) => {
      const [skip, take] = [whole(req.query['skip'], 0), whole(req.query['take'], 50)];
      const { rows } = await database.query<{ text: string }>({ name: 'list', text: LIST, values: [storeId, skip, take] });
      sendJson(res, `{"items":${rows[0]?.text ?? '[]'},"skip":${skip},"take":${take},"total":${facts['total'] ?? ''}}`);
    }),
  );
  app.get(
    '/apps/catalog/products/:id',
    asCaller(async (req, res, { storeId }) => {
      const { rows } = await database.query<{ text: string }>({
        name: 'detail',
        text: DETAIL,
        values: [storeId, req.params['id']],
      });
      if (rows[0]) sendJson(res, rows[0].text);
      else res.status(404).end();
    }),
  );
  app.get(
    '/apps/catalog/collections/:id/products',
    asCaller(async (req, res, { storeId }) => {
      const [id, skip, take] = [req.params['id'] as string, whole(req.query['skip'], 0), whole(req.query['take'], 50)];
      const values = [storeId, id, skip, take];
      const { rows } = await database.query<{ total: number; ids: string | null }>({
        name: 'collection',
        text: COLLECTION,
        values,
      });
      const [row] = rows;
      if (!row) res.status(404).end();
      else {
        const ids = row.ids?.replaceAll(', ', ',') ?? '[]';
        sendJson(res, `{"collectionId":"${id}","productIds":${ids},"skip":${skip},"take":${take},"total":${row.total}}`);
      }
    }),
  );
});
