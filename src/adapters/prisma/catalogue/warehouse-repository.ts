import type { WarehouseRepository } from '../../../domain/ports/catalogue/warehouse-repository.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { upsertText } from './upsert.ts';

export const STORED_WAREHOUSE = { id: 'uuid', name: 'text?', code: 'text?', country: 'text?' } as const;

const LIST_WAREHOUSES = statement({
  text: 'SELECT id, name, code, country FROM warehouses WHERE store_id = $storeId',
  parameters: { storeId: 'uuid' },
  row: STORED_WAREHOUSE,
});

const SAVE_WAREHOUSES = statement({
  text: upsertText('warehouses', { id: 'uuid', name: 'text', code: 'text', country: 'text' }),
  parameters: { storeId: 'uuid', rows: 'json' },
});

const REMOVE_WAREHOUSES = statement({
  text: 'DELETE FROM warehouses WHERE store_id = $storeId AND id = ANY ($ids)',
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
});

export const warehouseRepository = (sql: Sql): WarehouseRepository => ({
  list: (storeId) => sql.rows(LIST_WAREHOUSES, { storeId }),
  save: async (storeId, warehouses) => {
    if (warehouses.length > 0) await sql.execute(SAVE_WAREHOUSES, { storeId, rows: JSON.stringify(warehouses) });
  },
  remove: async (storeId, ids) => {
    if (ids.length > 0) await sql.execute(REMOVE_WAREHOUSES, { storeId, ids });
  },
});
