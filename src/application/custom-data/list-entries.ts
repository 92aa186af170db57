import { isMetaobjectType, type Entry } from '../../domain/custom-data/metaobject.ts';
import type { Page, PageOf } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';

export const listEntries =
  ({ metaobjects }: Pick<Ports, 'metaobjects'>) =>
  async (storeId: string, type: string, page: Page): Promise<Result<PageOf<Entry>, 'not_found'>> => {
    const entries = isMetaobjectType(type) ? await metaobjects.list(storeId, type, page) : null;
    return entries ? ok(entries) : notFound('Metaobject type');
  };
