import { PRODUCT_STATUSES } from '../../../../domain/catalogue/product.ts';
import type { ListPage, Page, ProductListItem } from '../../../http/answers.ts';
import { findStore, MOST_IN_A_PAGE } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { choiceFlag, LIMIT_FLAG, STORE_FLAG, textFlag, timeFlag, WIDE_FLAG } from '../../flags.ts';

const priceOf = ({ minPrice, maxPrice, currency }: ProductListItem): string | null => {
  if (minPrice === null) return null;
  const range = minPrice === maxPrice ? String(minPrice) : `${String(minPrice)}–${String(maxPrice)}`;
  return currency === null ? range : `${range} ${currency}`;
};

export const listProducts = adminCommand({
  docs: {
    brief: 'List the products of a store',
    examples: [
      'tenon products list --search plane',
      'tenon products list --status Draft --updated-since 1d --json | jq -r .slug',
    ],
  },
  flags: {
    store: STORE_FLAG,
    search: textFlag('Only products with this text in their name or in a SKU', 'text'),
    status: { ...choiceFlag(PRODUCT_STATUSES, 'Only products with this status'), optional: true },
    tag: textFlag('Only products with exactly this tag', 'tag'),
    updatedSince: timeFlag('Changed since'),
    limit: LIMIT_FLAG,
    ...WIDE_FLAG,
  },
  run: async ({ api, print }, { store, search: q, status, tag, updatedSince, limit }) => {
    const { id: storeId } = await findStore(api, store);
    const found: ProductListItem[] = [];
    let total = 0;
    // Behind a cursor, what is deleted meanwhile makes the list miss no other.
    for (let after: string | null = ''; after !== null && found.length < limit;) {
      const query = { q, status, tag, updatedSince, after, take: Math.min(MOST_IN_A_PAGE, limit - found.length) };
      const page: Partial<ListPage<ProductListItem>> & Page<ProductListItem> = await api.get(
        `/stores/${storeId}/products`,
        query,
      );
      found.push(...page.items);
      total = page.total;
      after = page.next ?? null;
    }
    print.list(found, [
      { name: 'id', of: ({ id }) => id, kind: 'whole', drop: 1 },
      { name: 'slug', of: ({ slug }) => slug },
      { name: 'name', of: ({ name }) => name, drop: 5 },
      { name: 'status', of: (product) => product.status },
      { name: 'price', of: priceOf, align: 'right', drop: 4 },
      { name: 'stock', of: ({ totalInventory }) => totalInventory, align: 'right', drop: 3 },
      { name: 'updated', of: ({ updatedAt }) => updatedAt, kind: 'time', drop: 2 },
    ]);
    if (total > found.length) print.sayMeanwhile(`${String(found.length)} of ${String(total)} products. See --limit.`);
  },
});
