import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { AuditPage } from '../../api/types.ts';
import type { ChangeSearch } from './search.ts';

const TAKE = 50;

/** Without `storeId`, the list has the changes of all stores, and those of no store. */
export const changesQuery = (storeId: string | undefined, { after, show }: Pick<ChangeSearch, 'after' | 'show'>) =>
  queryOptions({
    queryKey: ['changes', storeId, show, after],
    queryFn: ({ signal }) =>
      api.get<AuditPage>('/audit', { store: storeId, refused: show === 'refused' ? '1' : undefined, after, take: TAKE }, signal),
    placeholderData: keepPreviousData,
  });
