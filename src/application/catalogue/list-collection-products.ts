import type { Page } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** A page of a collection's product ids in their order, as JSON text. */
export const listCollectionProducts =
  ({ collectionReader }: Pick<Ports, 'collectionReader'>) =>
  async (storeId: string, id: string, page: Page): Promise<Result<string, 'not_found'>> => {
    const text = await collectionReader.page(storeId, id, page);
    return text === null ? notFound('Collection') : ok(text);
  };
