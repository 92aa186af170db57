import type { Refusal } from '../result.ts';
import type { EventFields } from './event-fields.ts';
import { fitsWebhook, SUBSCRIBABLE_TYPES, type SubscribableType } from './event.ts';
import { invalid } from './webhook-url.ts';

/** A body may bring the product that its event is about, or only the product's variants. */
export const INCLUDES = ['product', 'product.variants'] as const;
export type Include = (typeof INCLUDES)[number];

/** The events whose resource is a product. */
export const PRODUCT_TYPES = SUBSCRIBABLE_TYPES.filter((type) => type.startsWith('product.') || type.startsWith('inventory.'));

const isOfProduct = (type: SubscribableType): boolean => PRODUCT_TYPES.includes(type);

/** Members that a body with an included product may have beside it. `asOf` is `later` where the product has changed since the event. */
const INCLUDED_MARKS = ['asOf', 'productOmitted'] as const;

/** All members that an include may add to the data of an event. */
export const INCLUDED_MEMBERS = ['product', ...INCLUDED_MARKS] as const;

/** Stored in place of a product that no body has room for. */
export const OMITTED = { productOmitted: 'too_large' } as const;

export const checkInclude = (types: readonly SubscribableType[]): Refusal<'invalid'> | null =>
  types.some(isOfProduct) ? null : invalid(`include: eventTypes must have one of ${PRODUCT_TYPES.join(', ')}.`);

/** The id of the product that the data of an event lacks; null where it is about another resource, or has its product. */
export const productOf = (type: string, { id, product }: Readonly<Record<string, unknown>>): string | null =>
  PRODUCT_TYPES.some((one) => one === type) && typeof id === 'string' && product === undefined ? id : null;

/** The fields of each type with those of what is included. */
export const withIncludedFields = (eventFields: EventFields): EventFields => {
  const { product } = eventFields['product.created'].fields;
  if (product === undefined) return eventFields;
  const added = PRODUCT_TYPES.map((type) => {
    const tree = eventFields[type];
    return [type, { ...tree, fields: { ...tree.fields, product } }] as const;
  });
  return { ...eventFields, ...Object.fromEntries(added) };
};

/** The paths that a body with an included product keeps. */
export const fieldsWithMarks = (fields: readonly string[]): readonly string[] => [...fields, ...INCLUDED_MARKS];

/** A body ends with its data. */
const withMembers = (body: string, members: string): string => {
  const data = body.slice(0, -2);
  return `${data}${data.endsWith('{') ? '' : ','}${members.slice(1)}}`;
};

export type IncludedProduct = { readonly id: string; readonly variants: unknown } | null;

/** The product, or only its id and variants. Null stays null. */
export const shownProduct = (product: IncludedProduct, include: readonly string[]): IncludedProduct =>
  product === null || include.includes('product') ? product : { id: product.id, variants: product.variants };

const onlyVariants = (included: string, include: readonly string[]): string => {
  const { product, ...marks } = JSON.parse(included) as { readonly product?: IncludedProduct };
  return product === undefined ? included : JSON.stringify({ product: shownProduct(product, include), ...marks });
};

/**
 * The body with what is included in its data. `included` is a JSON object of the members, as the fan-out has stored it with the event;
 * null adds nothing. The same values give the same bytes.
 */
export const withIncluded = (body: string, included: string | null, include: readonly string[]): string => {
  if (included === null) return body;
  const whole = withMembers(body, include.includes('product') ? included : onlyVariants(included, include));
  return fitsWebhook(whole) ? whole : withMembers(body, JSON.stringify(OMITTED));
};
