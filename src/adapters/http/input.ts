import type { Request } from 'express';
import type { z } from 'zod';

import type { FieldErrors, RefusalCode } from '../../domain/result.ts';
import { checkContentType, mediaType, readBody } from './body.ts';
import { parseJson } from './json.ts';
import type { Route } from './route.ts';

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

const MAX_FAULTS = 20;

/** Every fault by the path it stands at, as `products[3].id`. */
const faults = (error: z.ZodError): { message: string; errors: FieldErrors } => {
  const errors: Record<string, string[]> = {};
  for (const issue of error.issues.slice(0, MAX_FAULTS)) {
    const path = issue.path.map((step) => (typeof step === 'number' ? `[${String(step)}]` : `.${String(step)}`)).join('');
    (errors[path.replace(/^\./, '') || 'body'] ??= []).push(issue.message);
  }
  const message = Object.entries(errors)
    .map(([path, messages]) => `${path}: ${messages.join(', ')}`)
    .join('; ');
  return { message, errors };
};

const parseWith = (
  schema: z.ZodType | null,
  value: unknown,
  code: 'invalid' | 'not_found',
): { value: unknown } | { refusal: InputRefusal } => {
  if (schema === null) return { value: null };
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const { message, errors } = faults(result.error);
  return { refusal: code === 'not_found' ? { code, message: 'there is no such resource' } : { code, message, errors } };
};

const parseBody = (route: Route, req: Request, bytes: Buffer): { value: unknown } | { refusal: InputRefusal } => {
  if (route.streams.length > 0) {
    return { value: { contentType: mediaType(req.headers['content-type']), stream: req } };
  }
  if (route.body === null) return { value: null };
  if (bytes.length === 0 && route.access.kind === 'admin') return parseWith(route.body, {}, 'invalid');
  const json = parseJson(bytes);
  return json.ok ? parseWith(route.body, json.value, 'invalid') : { refusal: { code: 'invalid', message: json.message } };
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

const parse = (route: Route, req: Request, bytes: Buffer): Parsed | InputRefusal => {
  const params = parseWith(route.params, req.params, 'not_found');
  if ('refusal' in params) return params.refusal;
  const query = parseWith(route.query, req.query, 'invalid');
  if ('refusal' in query) return query.refusal;
  const nul = nulRefusal(req, query.value);
  if (nul) return nul;
  const body = parseBody(route, req, bytes);
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
  maxBodyBytes: { readonly bulk: number; readonly other: number },
): Promise<ReadInput | InputRefusal> => {
  let bytes = NO_BYTES;
  if (route.streams.length > 0 || (route.body !== null && hasBody(req))) {
    const refusal = checkContentType(req, route.streams.length > 0 ? route.streams : ['application/json']);
    if (refusal) return refusal;
  }
  if (route.body !== null) {
    const read = await readBody(req, route.isBulk ? maxBodyBytes.bulk : maxBodyBytes.other);
    if (!Buffer.isBuffer(read)) return read;
    bytes = read;
  }
  return { bytes, parse: () => parse(route, req, bytes) };
};
