import type { WarehouseReader } from '../../../domain/ports/catalogue/warehouse-reader.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { FIND_STORE } from '../work/find-store.ts';
import { STORED_WAREHOUSE } from './warehouse-repository.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';

/** The next id at or behind a place, by one step in the index: a store has few warehouses and many rows of stock. */
const NEXT = (isBehind: string): string => `
  SELECT i.warehouse_id FROM inventory i WHERE i.store_id = $storeId AND i.deleted_at IS NULL AND i.warehouse_id ${isBehind}
  ORDER BY i.warehouse_id LIMIT 1`;

const PAGE_OF_WAREHOUSES = statement({
  text: `
    WITH RECURSIVE stocked AS (
      SELECT (${NEXT('>= $from')}) AS id
      UNION ALL
      SELECT (${NEXT('> s.id')}) FROM stocked s WHERE s.id IS NOT NULL)
    SELECT p.id, w.name, w.code, w.country
    FROM (
      (SELECT id FROM stocked WHERE id IS NOT NULL LIMIT $limit::int)
      UNION
      (SELECT id FROM warehouses WHERE store_id = $storeId AND id >= $from ORDER BY id LIMIT $limit::int)) p
    LEFT JOIN warehouses w ON w.store_id = $storeId AND w.id = p.id
    ORDER BY p.id LIMIT $limit::int`,
  parameters: { storeId: 'uuid', from: 'uuid', limit: 'int4' },
  row: { ...STORED_WAREHOUSE, id: 'uuid!' },
});

export const warehouseReader = (sql: Sql): WarehouseReader => ({
  page: async (storeId, from, limit) => {
    const [stores, rows] = await Promise.all([
      sql.execute(FIND_STORE, { storeId }),
      sql.rows(PAGE_OF_WAREHOUSES, { storeId, from: from ?? FIRST, limit }),
    ]);
    return stores === 0 ? null : rows;
  },
});
