import type { Page } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { ProductFilter } from '../../domain/ports/product-reader.ts';
import type { JsonDocument, Reading } from '../../domain/reading.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/**
 * A page of the store's live products. `unavailable` when the search takes too long.
 */
export const listProducts =
  ({ productReader }: Pick<Ports, 'productReader'>) =>
  async (storeId: string, page: Page, filter: ProductFilter, reading?: Reading): Promise<Result<JsonDocument, 'unavailable'>> => {
    const list = await productReader.list(storeId, page, filter, reading);
    return list === null ? refuse('unavailable', 'The search took too long. Use a longer or more specific q.') : ok(list);
  };
