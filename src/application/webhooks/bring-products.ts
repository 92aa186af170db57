import type { Ports } from '../../domain/ports/index.ts';
import { OMITTED, productOf, type Include } from '../../domain/webhooks/included.ts';
import type { FeedSlice } from './feed-page.ts';

/** Products of a page together, in bytes. Those beyond are left out. */
const MAX_PAGE_PRODUCT_BYTES = 4_194_304;

interface Body {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The page with the product of each event about one, as it is now. */
export const bringProducts = async <P extends FeedSlice>(
  { productReader }: Pick<Ports, 'productReader'>,
  storeId: string,
  page: P,
  include: readonly Include[] | null,
): Promise<P> => {
  if (include === null || page.bodies.length === 0) return page;
  const events = page.bodies.map((text) => ({ text, body: JSON.parse(text) as Body }));
  const ids = new Set(events.flatMap(({ body }) => productOf(body.type, body.data) ?? []));
  const products = await productReader.documents(storeId, [...ids], MAX_PAGE_PRODUCT_BYTES);
  const bodies = events.map(({ text, body }) => {
    const id = productOf(body.type, body.data);
    if (id === null) return text;
    const product = products.get(id);
    if (product === null) return JSON.stringify({ ...body, data: { ...body.data, ...OMITTED } });
    return JSON.stringify({ ...body, data: { ...body.data, product: shown(product, include) } });
  });
  return { ...page, bodies };
};

const shown = (text: string | undefined, include: readonly Include[]): unknown => {
  if (text === undefined) return null;
  const product = JSON.parse(text) as { readonly id: string; readonly variants: unknown };
  return include.includes('product') ? product : { id: product.id, variants: product.variants };
};
