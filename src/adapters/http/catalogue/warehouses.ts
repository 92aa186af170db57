import { z } from 'zod';

import { MAX_WAREHOUSE_CODE, MAX_WAREHOUSE_NAME, MAX_WAREHOUSES, WAREHOUSE } from '../../../domain/catalogue/warehouse.ts';
import { ok } from '../../../domain/result.ts';
import { listOf } from '../kit/bounded.ts';
import { exampleOf } from '../kit/example-record.ts';
import { countryField, uuidField } from '../kit/fields.ts';
import { asCursorPage, cursorPage, cursorPaging, fromOf } from '../kit/page.ts';
import { resourceOf } from '../kit/records.ts';
import { nameOf } from '../kit/text.ts';
import { route } from '../route.ts';

const example = exampleOf(WAREHOUSE);

const warehouseRequest = z
  .object({
    warehouses: listOf(
      z
        .object({
          id: uuidField,
          name: nameOf(MAX_WAREHOUSE_NAME).nullish(),
          code: nameOf(MAX_WAREHOUSE_CODE).nullish(),
          country: countryField.nullish(),
        })
        .meta({ id: 'WarehouseChange', description: 'A field that is left out stays, and null clears it.' }),
      { min: 1, max: MAX_WAREHOUSES },
    ),
  })
  .meta({ id: 'WarehousesRequest', examples: [{ warehouses: [example] }] });

const warehouse = resourceOf(WAREHOUSE);

export const warehouseReport = z
  .object({
    items: z.array(warehouse).readonly().meta({ description: 'The warehouses of the request, in its order, as they are now.' }),
    created: z.int().meta({ description: 'Had only their id before.' }),
    updated: z.int(),
    unchanged: z.int(),
    removed: z.int().meta({ description: 'Have only their id now. Their stock stays.' }),
  })
  .meta({ id: 'WarehouseReport', examples: [{ items: [example], created: 1, updated: 0, unchanged: 0, removed: 0 }] });

export const warehousePage = cursorPage(warehouse, 'WarehousePage');

const warehouseListQuery = z
  .object({
    after: cursorPaging.after.meta({
      description: 'The `next` of the previous page. By default, the list starts with the first warehouse.',
    }),
    take: cursorPaging.take,
  })
  .transform(fromOf);

const LISTED = 'By id: each that has stock, also of a deleted product, and each that the merchant has described.';

export const warehouseRoutes = [
  route
    .get('/apps/warehouses', 'listWarehouses')
    .scope('read_products', 'Catalog')
    .summary('List warehouses', LISTED)
    .query(warehouseListQuery)
    .returns(200, warehousePage)
    .refuses('invalid', 'not_found')
    .handle(async (app, { caller, query: { after, take } }) => {
      const found = await app.listWarehouses(caller.storeId, after, take);
      return found.ok ? ok(asCursorPage(found.value)) : found;
    }),
];

const path = '/admin/stores/:storeId/warehouses';

export const adminWarehouseRoutes = [
  route
    .get(path, 'listWarehouses')
    .admin('Catalog')
    .summary('List warehouses', LISTED)
    .query(warehouseListQuery)
    .returns(200, warehousePage)
    .refuses('invalid', 'not_found')
    .handle(async (app, { params: { storeId }, query: { after, take } }) => {
      const found = await app.listWarehouses(storeId, after, take);
      return found.ok ? ok(asCursorPage(found.value)) : found;
    }),
  route
    .put(path, 'putWarehouses')
    .admin('Catalog')
    .summary(
      'Name warehouses',
      'Says the name, the code and the country of the warehouses of the request. The others stay as they are. ' +
        'A warehouse with stock is never removed: without a name, its id is its name.',
    )
    .body(warehouseRequest)
    .returns(200, warehouseReport)
    .refuses('invalid', 'not_found')
    .handle((app, { params: { storeId }, body, cause }) => app.putWarehouses(cause, storeId, body.warehouses)),
];
