import type { Ports } from '../../domain/ports/index.ts';
import { OMITTED, productOf, shownProduct, type Include, type IncludedProduct } from '../../domain/webhooks/included.ts';
import type { FeedSlice } from './feed-page.ts';

/** Products of a page together, in bytes. Those beyond are left out. */
const MAX_PAGE_PRODUCT_BYTES = 4_194_304;

interface Body {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Event {
  readonly text: string;
  readonly body: Body;
  /** Null where the event is about another resource, or has its product. */
  readonly productId: string | null;
}

const eventOf = (text: string): Event => {
  const body = JSON.parse(text) as Body;
  return { text, body, productId: productOf(body.type, body.data) };
};

/** The page with the product of each event about one, as it is now. Other requests have their turn between the events. */
export const bringProducts = async <P extends FeedSlice>(
  { productReader, turns }: Pick<Ports, 'productReader' | 'turns'>,
  storeId: string,
  page: P,
  include: readonly Include[] | null,
): Promise<P> => {
  if (include === null || page.bodies.length === 0) return page;
  const turn = turns.begin();
  const events: Event[] = [];
  for (const text of page.bodies) {
    events.push(eventOf(text));
    await turn();
  }
  const ids = new Set(events.flatMap(({ productId }) => productId ?? []));
  const products = await productReader.documents(storeId, [...ids], MAX_PAGE_PRODUCT_BYTES);
  const bodies: string[] = [];
  for (const { text, body, productId } of events) {
    bodies.push(productId === null ? text : bodyWith(body, products.get(productId), include));
    await turn();
  }
  return { ...page, bodies };
};

/** `product` is JSON: null where there is no room for it, and undefined where it does not exist. */
const bodyWith = (body: Body, product: string | null | undefined, include: readonly Include[]): string => {
  const members =
    product === null ? OMITTED : { product: shownProduct(JSON.parse(product ?? 'null') as IncludedProduct, include) };
  return JSON.stringify({ ...body, data: { ...body.data, ...members } });
};
