import type { AdminApi, Query } from './admin-api.ts';

interface CursorPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
  readonly more?: boolean;
}

const TAKE = 250;

export const firstItems = async <T>(api: AdminApi, path: string, query: Query, limit: number): Promise<readonly T[]> => {
  const found: T[] = [];
  let { after } = query;
  while (found.length < limit) {
    const take = Math.min(TAKE, limit - found.length);
    const page = await api.get<CursorPage<T>>(path, { ...query, after, take });
    found.push(...page.items);
    if (page.next === null || page.more === false) break;
    after = page.next;
  }
  return found;
};
