import type { Page } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { JsonDocument, Reading } from '../../domain/reading.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** A page of a collection's product ids in their order. */
export const listCollectionProducts =
  ({ collectionReader }: Pick<Ports, 'collectionReader'>) =>
  async (storeId: string, id: string, page: Page, reading?: Reading): Promise<Result<JsonDocument, 'not_found'>> => {
    const products = await collectionReader.page(storeId, id, page, reading);
    return products === null ? notFound('Collection') : ok(products);
  };
