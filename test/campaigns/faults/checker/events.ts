import type { EventRow } from '../history.ts';

/** A recorded change of a product's metaTitle: one execution of one item of a bulk update. */
export interface Execution {
  readonly eventId: string;
  readonly productId: string;
  readonly previous: string | null;
  readonly mark: string;
  /** The slug after it, where it changed with it. */
  readonly slug: string | null | undefined;
}

interface UpdatedBody {
  readonly data: {
    readonly id: string;
    readonly previous?: { readonly metaTitle?: string | null };
    readonly current?: { readonly metaTitle?: string | null; readonly slug?: string | null };
  };
}

/** The executions that the recorded events show. */
export const executionsOf = (events: readonly EventRow[]): Execution[] =>
  events.flatMap(({ id, type, body }) => {
    if (type !== 'product.updated') return [];
    const { data } = JSON.parse(body) as UpdatedBody;
    const mark = data.current?.metaTitle;
    if (mark == null) return [];
    return [{ eventId: id, productId: data.id, previous: data.previous?.metaTitle ?? null, mark, slug: data.current?.slug }];
  });

export const groupBy = <T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};
