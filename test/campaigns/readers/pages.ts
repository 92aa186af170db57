/** A list that readers ask for and the checker builds by itself. */
export interface ListPage {
  readonly skip: number;
  readonly take: number;
  readonly filter: { readonly categoryId?: string; readonly status?: string; readonly tag?: string };
}

/** A product as a list shows it, with what filters ask about. */
export interface ListItem {
  readonly json: string;
  readonly categoryId: string | null;
  readonly status: string;
  readonly tags: readonly string[];
}

export const TAGS = ['red', 'blue', 'green'] as const;
export const STATUSES = ['Active', 'Draft', 'Archived'] as const;

/** First pages, deep pages and filtered ones. */
export const listPages = (categoryIds: readonly string[]): ListPage[] => [
  { skip: 0, take: 20, filter: {} },
  { skip: 20, take: 20, filter: {} },
  { skip: 0, take: 50, filter: {} },
  { skip: 60, take: 20, filter: {} },
  { skip: 77, take: 13, filter: {} },
  { skip: 100, take: 50, filter: {} },
  ...categoryIds.slice(0, 2).map((categoryId) => ({ skip: 0, take: 20, filter: { categoryId } })),
  { skip: 0, take: 20, filter: { status: 'Draft' } },
  { skip: 5, take: 10, filter: { tag: 'blue' } },
  { skip: 10, take: 10, filter: { status: 'Active', tag: 'red' } },
];

export const listPath = ({ skip, take, filter }: ListPage): string =>
  `/apps/catalog/products?${new URLSearchParams({ skip: String(skip), take: String(take), ...filter }).toString()}`;

const matches = ({ categoryId, status, tags }: ListItem, { filter }: ListPage): boolean =>
  (filter.categoryId === undefined || filter.categoryId === categoryId) &&
  (filter.status === undefined || filter.status === status) &&
  (filter.tag === undefined || tags.includes(filter.tag));

/** The page in the notation of `canonical`. */
export const pageOf = (items: readonly ListItem[], page: ListPage): string => {
  const found = items.filter((item) => matches(item, page));
  const shown = found.slice(page.skip, page.skip + page.take).map(({ json }) => json);
  return `{"items":[${shown.join()}],"skip":${page.skip},"take":${page.take},"total":${found.length}}`;
};
