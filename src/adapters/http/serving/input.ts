import type { Request } from 'express';
import type { z } from 'zod';

import { checkBulkCount } from '../../../domain/catalogue/bulk-change.ts';
import type { FieldErrors, RefusalCode } from '../../../domain/result.ts';
import { charsetParameter, checkContentType, mediaType, readBody } from './body.ts';
import type { MountOptions } from './mount.ts';
import { parseJson } from './json.ts';
import type { JsonValue } from './json.ts';
import { judge } from './judge.ts';
import { allowAnyTime } from './request-time.ts';
import type { Route } from '../route.ts';

interface InputRefusal {
  readonly code: Extract<RefusalCode, 'invalid' | 'not_found' | 'payload_too_large' | 'unsupported_media_type'>;
  readonly message: string;
  readonly errors?: FieldErrors;
}

export interface Parsed {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** The request as bytes; `parse` comes later, after the idempotency claim. */
export interface ReadInput {
  readonly bytes: Buffer;
  readonly parse: () => Parsed | InputRefusal;
}

const parseWith = (
  schema: z.ZodType | null,
  value: JsonValue,
  code: 'invalid' | 'not_found',
): { value: unknown } | { refusal: InputRefusal } => {
  if (schema === null) return { value: null };
  const judged = judge(schema, value);
  if (judged.ok) return { value: judged.value };
  const { message, errors } = judged;
  return { refusal: code === 'not_found' ? { code, message: 'there is no such resource' } : { code, message, errors } };
};

/** What a body is judged from. */
interface Whole {
  readonly bytes: Buffer;
  readonly maxBulkProducts: number;
}

/** The products of a bulk update are counted before any of them is judged. */
const bulkRefusal = (value: unknown, max: number): InputRefusal | null => {
  const products: unknown = typeof value === 'object' && value !== null && 'products' in value ? value.products : null;
  return Array.isArray(products) ? checkBulkCount(products.length, max) : null;
};

const parseBody = (
  route: Route,
  req: Request,
  { bytes, maxBulkProducts }: Whole,
): { value: unknown } | { refusal: InputRefusal } => {
  if (route.streams.length > 0) {
    const header = req.headers['content-type'];
    return { value: { contentType: mediaType(header), charset: charsetParameter(header), stream: req } };
  }
  if (route.body === null) return { value: null };
  if (bytes.length === 0 && route.access.kind === 'admin') return parseWith(route.body, { value: {} }, 'invalid');
  const json = parseJson(bytes);
  if (!json.ok) return { refusal: { code: 'invalid', message: json.message } };
  const refusal = route.isBulk ? bulkRefusal(json.value, maxBulkProducts) : null;
  return refusal ? { refusal } : parseWith(route.body, json, 'invalid');
};

const NUL = '\0';
/** skip and take are never refused: what is no number falls back to the default. */
const NEVER_REFUSED = new Set(['skip', 'take']);

/** PostgreSQL keeps no NUL in a text, so nothing can be found by one, and nothing kept under one. */
const withNul = (values: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(values).find(([, value]) => [value].flat().some((text) => typeof text === 'string' && text.includes(NUL)))?.[0];

const nulRefusal = (req: Request, query: unknown): InputRefusal | null => {
  if (withNul(req.params) !== undefined) return { code: 'not_found', message: 'there is no such resource' };
  if (typeof query !== 'object' || query === null) return null;
  const read = Object.fromEntries(Object.entries(query).filter(([name]) => !NEVER_REFUSED.has(name)));
  const name = withNul(read);
  return name === undefined ? null : { code: 'invalid', message: `${name}: must not hold a NUL character` };
};

const parse = (route: Route, req: Request, whole: Whole): Parsed | InputRefusal => {
  const params = parseWith(route.params, { value: req.params }, 'not_found');
  if ('refusal' in params) return params.refusal;
  const query = parseWith(route.query, { value: req.query }, 'invalid');
  if ('refusal' in query) return query.refusal;
  const nul = nulRefusal(req, query.value);
  if (nul) return nul;
  const body = parseBody(route, req, whole);
  if ('refusal' in body) return body.refusal;
  return { params: params.value, query: query.value, body: body.value };
};

const NO_BYTES: Buffer = Buffer.alloc(0);

const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** Reads what the route takes: the body whole (413, 415), or nothing where the handler reads a stream. */
export const readInput = async (
  route: Route,
  req: Request,
  { maxBodyBytes, maxBulkProducts }: Pick<MountOptions, 'maxBodyBytes' | 'maxBulkProducts'>,
): Promise<ReadInput | InputRefusal> => {
  let bytes = NO_BYTES;
  if (route.streams.length > 0 || (route.body !== null && hasBody(req))) {
    const refusal = checkContentType(req, route.streams.length > 0 ? route.streams : ['application/json']);
    if (refusal) return refusal;
  }
  if (route.streams.length > 0) allowAnyTime(req);
  if (route.body !== null) {
    const read = await readBody(req, route.isBulk ? maxBodyBytes.bulk : maxBodyBytes.other);
    if (!Buffer.isBuffer(read)) return read;
    bytes = read;
  }
  return { bytes, parse: () => parse(route, req, { bytes, maxBulkProducts }) };
};
