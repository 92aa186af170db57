import { parseUuid } from '../values/uuid.ts';
import type { Product } from './product.ts';

/** A place in the order of the products, which no edit changes. */
export type ProductPlace = Pick<Product, 'createdAt' | 'id'>;

const PLACE = /^(-?[0-9a-z]{1,11})\.([0-9a-f-]{36})$/;

/** The place as its readers keep it: opaque text that fits into a query. */
export const formatPlace = ({ createdAt, id }: ProductPlace): string => `${Date.parse(createdAt).toString(36)}.${id}`;

/** Null where the text is not a place. */
export const parsePlace = (text: string): ProductPlace | null => {
  const [, time = '', given] = PLACE.exec(text) ?? [];
  const [at, id] = [Number.parseInt(time, 36), parseUuid(given)];
  // PostgreSQL's times and those of JavaScript end with the four digits of a year.
  const isTime = at >= Date.parse('0001-01-01T00:00:00.000Z') && at <= Date.parse('9999-12-31T23:59:59.999Z');
  return isTime && id !== null ? { createdAt: new Date(at).toISOString(), id } : null;
};
