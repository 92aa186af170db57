import { z } from 'zod';

import { parseDomain, STORE_STATUSES, ERASURE, STORE } from '../../../domain/identity/store.ts';
import { ok } from '../../../domain/result.ts';
import { storeCurrency } from '../kit/fields.ts';
import { searched, listPaging, asListQuery, listOfItems, asListPage } from '../kit/page.ts';
import { shownNameOf } from '../kit/text.ts';
import { route } from '../route.ts';
import { resourceOf } from '../kit/records.ts';

const domain = z
  .string()
  .refine((text) => parseDomain(text) !== null, 'must be a host name without a port')
  .transform((text) => text.toLowerCase())
  .meta({
    description: 'The primary domain, in lower case. Requests with this host belong to the store.',
    examples: ['shop.example.com'],
  });

const newStore = z.object({ domain, name: shownNameOf().optional(), currency: storeCurrency.optional() }).meta({
  id: 'NewStore',
  description: 'The name defaults to the domain, and the currency to USD.',
  examples: [{ domain: 'shop.example.com' }],
});

const storeChangesSchema = z
  .object({ name: shownNameOf().optional(), domain: domain.optional(), status: z.enum(STORE_STATUSES).optional() })
  .meta({
    id: 'StoreChanges',
    description:
      'Omitted fields do not change. An inactive store answers every app request with 401, and its tokens are revoked.',
    examples: [{ status: 'Inactive' }],
  });

const storeListQuery = z
  .object({
    q: searched('their name, domain or id'),
    status: z.enum(STORE_STATUSES).optional().meta({ description: 'Only stores with this status.' }),
    ...listPaging,
  })
  .transform(asListQuery);

const eraseQuery = z.object({
  confirm: domain.meta({ description: 'The domain of the store, to confirm that the id is the right one.' }),
});

export const storeErasure = resourceOf(ERASURE);
export const store = resourceOf(STORE);

/** The one route that finds a store that is being erased. */
export const eraseStoreRoute = route
  .delete('/admin/stores/:storeId', 'eraseStore')
  .admin('Stores', { needs: 'owner' })
  .summary(
    'Erase a store',
    'Permanently erases the store with everything in it, including its media files. Once the request is answered, nothing gets in or out of the store, ' +
      'every other route below /admin/stores/{storeId} returns 404, and its domain becomes available. Rows and files are erased in batches, which takes at least a minute. ' +
      'Repeat the request to follow the progress: 404 means that the erasure is complete. Returns 409 if `confirm` is not the domain of the store.',
  )
  .query(eraseQuery)
  .audits((app, { storeId }) => app.getStore(storeId))
  .returns(202, storeErasure)
  .refuses('not_found', 'conflict')
  .handle(async (app, { params, query, context }) => {
    const erased = await app.eraseStore(params.storeId, query.confirm);
    await context.resources.live.judge();
    return erased;
  });

export const storeRoutes = [
  route
    .post('/admin/stores', 'createStore')
    .admin('Stores', { stores: 'all' })
    .summary('Create a store', 'Returns 409 if another store has this domain, or if it is kept for sandbox stores.')
    .body(newStore)
    .returns(201, store)
    .refuses('conflict')
    .handle((app, { body }) => app.createStore(body)),
  route
    .get('/admin/stores', 'listStores')
    .admin('Stores', { stores: 'own' })
    .summary(
      'List the stores',
      'Lists the stores that match every filter, oldest first. By default, lists stores of every status. An operator who is limited to some stores gets only these.',
    )
    .query(storeListQuery)
    .returns(200, listOfItems(store, 'StorePage'))
    .refuses('invalid')
    .handle(async (app, { query: { page, filter }, actor }) =>
      ok(asListPage((await app.listStores(page, { ...filter, ids: actor.storeIds })).value)),
    ),
  route
    .get('/admin/stores/:storeId', 'getStore')
    .admin('Stores')
    .summary('Get a store', 'Returns a store of any status.')
    .returns(200, store)
    .refuses('not_found')
    .handle((app, { params }) => app.getStore(params.storeId)),
  route
    .patch('/admin/stores/:storeId', 'updateStore')
    .admin('Stores')
    .summary(
      'Change a store',
      'Returns 409 if another store has this domain, or if it is kept for sandbox stores. Another domain needs access to all stores. Once a store is inactive, every request of its apps gets 401.',
    )
    .body(storeChangesSchema)
    .audits((app, { storeId }) => app.getStore(storeId))
    .returns(200, store)
    .refuses('not_found', 'conflict', 'forbidden')
    .handle(async (app, { params, body, actor, context }) => {
      const updated = await app.updateStore(params.storeId, body, actor);
      await context.resources.live.judge();
      return updated;
    }),
  eraseStoreRoute,
];
