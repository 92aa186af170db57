import { z } from 'zod';

import { uuidField } from './fields.ts';

export const collectionProductsResponse = z
  .object({ collectionId: z.uuid(), productIds: z.array(z.string()), skip: z.int(), take: z.int(), total: z.int() })
  .meta({ id: 'CollectionProducts' });

export const collectionRequest = z
  .object({
    title: z.string().trim().min(1).max(255),
    handle: z.string().max(200).nullish(),
    productIds: z.array(uuidField).max(100_000).meta({ description: 'Live products of the store, in order, none twice.' }),
  })
  .meta({ id: 'CollectionRequest' });

export const collectionResponse = z
  .object({ id: z.uuid(), title: z.string(), handle: z.string().nullable(), productIds: z.array(z.string()).readonly() })
  .meta({ id: 'Collection' });
