import { nameOf, everyOperation, type Operation } from '../support/operations.ts';
import { COSTLY_TYPE, entryBodies } from './entry-bodies.ts';
import { filterRequests } from './filters.ts';
import { worstHeads, type WorstHead } from './heads.ts';
import { jsonBodies, type WorstBody } from './json-bodies.ts';
import { csvBodies, formBodies, ndjsonBodies } from './other-bodies.ts';

/** A worst request to an operation. */
export interface Worst extends WorstHead {
  readonly contentType?: string;
  readonly body?: WorstBody['body'];
  /** Ids for the path, in place of the shop's. */
  readonly ids?: Readonly<Record<string, string>>;
}

const PRODUCT = 'PUT /admin/stores/{storeId}/products/{productId}';
const ENTRY = 'PUT /custom-data/metaobjects/{type}/entries/{handle}';

/**
 * A line of an import is judged as a product's own body is: of the texts at its places, those of
 * its slug are enough.
 */
const isOfLine = ({ what }: WorstBody): boolean => !what.endsWith('(string)') || what.includes('body.slug');

const bodiesOf = ({ side, bodies }: Operation): (WorstBody & { readonly contentType: string })[] =>
  Object.entries(bodies).flatMap(([contentType, { schema, example }]) => {
    const typed = (all: readonly WorstBody[]) => all.map((one) => ({ ...one, contentType }));
    if (contentType === 'application/json') return typed(jsonBodies(schema, side, example));
    if (contentType === 'text/csv') return typed(csvBodies());
    if (contentType === 'application/x-www-form-urlencoded') return typed(formBodies(String(example)));
    if (contentType === 'application/x-ndjson') {
      const product = everyOperation.find((operation) => nameOf(operation) === PRODUCT);
      const documents = product?.bodies['application/json'];
      return typed(ndjsonBodies(documents ? jsonBodies(documents.schema, 'admin', documents.example).filter(isOfLine) : []));
    }
    // A media type that nobody has thought about is not passed over in silence.
    throw new Error(`There are no worst bodies of ${contentType}. Add them to hostile/worst.`);
  });

/** Requests that a schema can't express. */
const specialOf = (operation: Operation): readonly Worst[] =>
  nameOf(operation) === ENTRY
    ? entryBodies().map((one) => ({ ...one, contentType: 'application/json', ids: { type: COSTLY_TYPE } }))
    : filterRequests(operation);

/** A body for an operation without one, which must not cost anything either. */
const UNASKED: Worst = {
  what: 'a body that nobody asked for',
  contentType: 'application/json',
  body: (_attempt, bytes) => `[${'0,'.repeat(bytes / 2 - 2)}0]`,
};

/**
 * The worst requests to an operation: each shape at each place of its body, its query and its
 * headers, made from the OpenAPI document. A new operation has its own without a line here.
 */
export const worstOf = (operation: Operation): readonly Worst[] => {
  const bodies = bodiesOf(operation);
  return [...worstHeads(operation), ...(bodies.length > 0 ? bodies : [UNASKED]), ...specialOf(operation)];
};

/** A few of each operation's: what is marked for it, and those whose turn it is. */
export const shortOf = (all: readonly Worst[], turn: number): readonly Worst[] => {
  const marked = all.filter(({ isShort }) => isShort);
  const others = all.filter(({ isShort }) => !isShort);
  const take = (from: readonly Worst[], most: number): Worst[] =>
    Array.from({ length: Math.min(most, from.length) }, (_, index) => from[(turn * most + index) % from.length]!);
  return [...take(marked, 5), ...take(others, 1)];
};
