import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { Product, SearchAnswer } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { STORE_FLAG, WIDE_FLAG } from '../../flags.ts';
import { plain } from '../../output/style.ts';

/** The search also finds what has the text in it, so each of the few that it finds is read. */
const exactMatches = async (api: AdminApi, storeId: string, named: string): Promise<readonly Product[]> => {
  const { items } = await api.get<SearchAnswer>(`/stores/${storeId}/search`, { q: named });
  const found = items.filter(({ kind }) => kind === 'product');
  const products = await Promise.all(found.map(({ id }) => api.get<Product>(`/stores/${storeId}/products/${id}`)));
  return products.filter(({ slug, variants }) => slug === named || variants.some(({ sku }) => sku === named));
};

const findProduct = async (api: AdminApi, storeId: string, named: string): Promise<Product> => {
  const id = parseUuid(named);
  if (id !== null) return api.get<Product>(`/stores/${storeId}/products/${id}`);
  const matches = await exactMatches(api, storeId, named);
  const [product] = matches;
  if (product === undefined) throw new CommandFailure(`There is no product with the slug or SKU ${named}.`, EXIT.notFound);
  if (matches.length > 1) {
    const ids = matches.map((match) => `\n  ${match.id}  ${plain(match.name)}`).join('');
    throw new CommandFailure(`Several products have the slug or SKU ${named}. Name one by its id:${ids}`, EXIT.usage);
  }
  return product;
};

export const getProduct = adminCommand({
  docs: {
    brief: 'Show a product with its variants',
    about:
      'Finds the product by its whole id, its exact slug or the exact SKU of a variant. With --json, it writes the whole document.',
    examples: ['tenon products get block-plane', 'tenon products get SKU-1042 --json | jq .media'],
  },
  flags: { store: STORE_FLAG, ...WIDE_FLAG },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'product', brief: 'Id, slug or SKU of the product' }] },
  run: async ({ api, print }, { store }, named) => {
    const { id: storeId } = await findStore(api, store);
    const product = await findProduct(api, storeId, named);
    const { id, name, slug, status, kind, tags, createdAt, updatedAt } = product;
    const counts = { media: product.media.length, variants: product.variants.length };
    print.one(product, { id, name, slug, status, kind, tags: tags.join(' '), createdAt, updatedAt, ...counts });
    if (!print.isForPeople || product.variants.length === 0) return;
    print.raw('\n');
    print.list(product.variants, [
      { name: 'sku', of: ({ sku }) => sku },
      { name: 'price', of: ({ price, currency }) => `${String(price)} ${currency}`, align: 'right' },
      { name: 'id', of: (variant) => variant.id, kind: 'whole', drop: 1 },
    ]);
  },
});
