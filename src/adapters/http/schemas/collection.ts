import { z } from 'zod';

import { MAX_SLUG_LENGTH } from '../../../domain/catalogue/slug.ts';
import { listOf } from './bounded.ts';
import { exampleId } from './example-record.ts';
import { uuidField } from './fields.ts';
import { nameOf, textOf } from './text.ts';

export const collectionProductsResponse = z
  .object({ collectionId: z.uuid(), productIds: z.array(z.string()), skip: z.int(), take: z.int(), total: z.int() })
  .meta({
    id: 'CollectionProducts',
    examples: [{ collectionId: exampleId(20), productIds: [exampleId(1)], skip: 0, take: 50, total: 1 }],
  });

export const collectionRequest = z
  .object({
    title: nameOf(),
    handle: textOf({ max: MAX_SLUG_LENGTH }).nullish(),
    productIds: listOf(uuidField, { max: 100_000 }).meta({ description: 'Live products of the store, in order, none twice.' }),
  })
  .meta({ id: 'CollectionRequest', examples: [{ title: 'Bestsellers', handle: 'bestsellers', productIds: [exampleId(1)] }] });

export const collectionResponse = z
  .object({ id: z.uuid(), title: z.string(), handle: z.string().nullable(), productIds: z.array(z.string()).readonly() })
  .meta({
    id: 'Collection',
    examples: [{ id: exampleId(20), title: 'Bestsellers', handle: 'bestsellers', productIds: [exampleId(1)] }],
  });
