import { z } from 'zod';

import { COLLECTION } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import { exampleId } from '../kit/example-record.ts';
import { answerOf, requestOf } from '../kit/records.ts';

export const collectionProductsResponse = z
  .object({ collectionId: z.guid(), productIds: z.array(z.string()), skip: z.int(), take: z.int(), total: z.int() })
  .meta({
    id: 'CollectionProducts',
    examples: [{ collectionId: exampleId(20), productIds: [exampleId(1)], skip: 0, take: 50, total: 1 }],
  });

export const collectionRequest = requestOf(COLLECTION).meta({
  id: 'CollectionRequest',
  examples: [{ title: 'Bestsellers', handle: 'bestsellers', productIds: [exampleId(1)] }],
});

export const collectionResponse = answerOf(COLLECTION);
