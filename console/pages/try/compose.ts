import { queryOf } from '../../api/query-string.ts';
import type { Operation } from './document.ts';

/** Input of the reader. Parameters are by name; an empty one is left out. */
export interface Draft {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request of an app, as it is sent. */
export interface Call {
  readonly method: Operation['method'];
  /** With its query. */
  readonly path: string;
  /** Without the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A product of the store, by which examples name one that exists. */
export type KnownProduct = Readonly<Record<string, unknown>> & { readonly id: string };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The example about a product that exists, with its own values: as it is, the call changes nothing. */
const aboutProduct = (example: unknown, product: KnownProduct): unknown => {
  if (Array.isArray(example)) return example.map((item) => aboutProduct(item, product));
  if (!isRecord(example)) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (name === 'productId') return [name, product.id];
      const own = product[name];
      if (typeof own === 'string' && typeof value === 'string' && 'id' in example) return [name, own];
      return [name, aboutProduct(value, product)];
    }),
  );
};

/** The document's examples, about a product of the store where there is one. */
export const draftOf = ({ path, parameters, body }: Operation, product: KnownProduct | null): Draft => {
  const isProductPath = path.includes('/products/{');
  const values = parameters
    .filter(({ in: place }) => place === 'path')
    .map(({ name, example }) => [name, isProductPath && product ? product.id : example] as const);
  const example = product === null ? body : aboutProduct(body, product);
  return { values: Object.fromEntries(values), body: body === null ? '' : JSON.stringify(example, null, 2) };
};

const listOf = (text: string): readonly string[] => text.split(',').map((item) => item.trim());

/** The request of a draft. `key` is its Idempotency-Key. */
export const callOf = ({ method, path, parameters, needsKey, body }: Operation, draft: Draft, key: string): Call => {
  const valueOf = (name: string): string => draft.values[name]?.trim() ?? '';
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(valueOf(name)));
  const query = parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name, isList }) => [name, isList ? listOf(valueOf(name)) : valueOf(name)] as const);
  const headers = parameters
    .filter(({ name, in: place }) => place === 'header' && valueOf(name) !== '')
    .map(({ name }) => [name, valueOf(name)] as const);
  return {
    method,
    path: filled + queryOf(Object.fromEntries(query)),
    headers: {
      ...Object.fromEntries(headers),
      ...(body !== null && { 'Content-Type': 'application/json' }),
      ...(needsKey && { 'Idempotency-Key': key }),
    },
    body: body === null ? null : draft.body,
  };
};

/** A key that no other request has. */
export const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `try-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

/** Names the missing input; null when the call can be sent. */
export const faultOf = ({ parameters, body }: Operation, draft: Draft): string | null => {
  const missing = parameters.find(({ name, isRequired }) => isRequired && (draft.values[name]?.trim() ?? '') === '');
  if (missing) return `Fill in ${missing.name}.`;
  return body !== null && draft.body.trim() === '' ? 'The body is empty.' : null;
};
