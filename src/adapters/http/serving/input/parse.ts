import type { Request } from 'express';
import type { z } from 'zod';

import { checkBulkCount, type BulkList } from '../../../../domain/catalogue/bulk-change.ts';
import { ok, refuse, type Refusal, type Result } from '../../../../domain/result.ts';
import { charsetParameter, mediaType } from './body.ts';
import { StreamBody } from '../../stream-body.ts';
import type { RequestContext } from '../context.ts';
import { parseJson } from './json.ts';
import { judge } from './judge.ts';
import { refusedAt, NO_RESOURCE, orAt } from '../reply/refusals.ts';

export interface Parsed {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const NOTHING = ok(null);

const parseParams = (schema: z.ZodType | null, params: object): Result<unknown, 'not_found'> => {
  if (schema === null) return NOTHING;
  const judged = judge(schema, { value: params });
  return judged.ok ? judged : NO_RESOURCE;
};

const parseQuery = (schema: z.ZodType | null, query: object): Result<unknown, 'invalid'> =>
  schema === null ? NOTHING : judge(schema, { value: query }, 'query');

/** The elements of a bulk update are counted before any of them is judged. */
const bulkRefusal = (list: BulkList, value: unknown, max: number): Refusal<'invalid'> | null => {
  if (typeof value !== 'object' || value === null) return null;
  const elements: unknown = (value as Readonly<Record<string, unknown>>)[list];
  return Array.isArray(elements) ? checkBulkCount(list, elements.length, max) : null;
};

const parseBody = (
  { route, request, backend }: RequestContext,
  bytes: Buffer,
): Result<unknown, 'invalid' | 'unauthenticated'> => {
  if (route.streams.length > 0) {
    const header = request.headers['content-type'];
    return ok(new StreamBody({ contentType: mediaType(header), charset: charsetParameter(header) }, request));
  }
  if (route.body === null) return NOTHING;
  if (route.form !== null) {
    const form = route.form(request.headersDistinct, bytes);
    return form.ok ? form : refusedAt('body', form);
  }
  if (bytes.length === 0 && route.access.kind === 'admin') return judge(route.body, { value: {} });
  const json = parseJson(bytes);
  if (!json.ok) return refusedAt('body', json);
  const refusal = route.bulk === null ? null : bulkRefusal(route.bulk, json.value, backend.maxBulkProducts);
  return refusal ?? judge(route.body, json);
};

const NUL = '\0';
/** skip and take are never refused: a value that is not a number falls back to the default. */
const NEVER_REFUSED: ReadonlySet<string> = new Set(['skip', 'take']);

const hasNul = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasNul) : typeof value === 'string' && value.includes(NUL);

/**
 * PostgreSQL keeps no NUL in a text, so no record can be found or stored under one. Judged is what
 * was sent, before any schema: it may leave a text at any depth.
 */
const nulRefusal = ({ params, query }: Request): Refusal<'invalid' | 'not_found'> | null => {
  if (Object.values(params).some(hasNul)) return NO_RESOURCE;
  const name = Object.entries(query).find(([field, value]) => !NEVER_REFUSED.has(field) && hasNul(value))?.[0];
  return name === undefined ? null : refuse('invalid', `${JSON.stringify(name).slice(1, -1)}: must not contain a NUL character`);
};

const parseAll = (context: RequestContext, bytes: Buffer): Result<Parsed, 'invalid' | 'not_found' | 'unauthenticated'> => {
  const { route, request } = context;
  const params = parseParams(route.params, request.params);
  if (!params.ok) return params;
  const query = parseQuery(route.query, request.query);
  if (!query.ok) return query;
  const nul = route.query === null && route.params === null ? null : nulRefusal(request);
  if (nul) return nul;
  const body = parseBody(context, bytes);
  return body.ok ? ok({ params: params.value, query: query.value, body: body.value }) : body;
};

/** Judges the path, the query and the body by the schemas of the route, in this order. */
export const parse: typeof parseAll = (context, bytes) => {
  const parsed = parseAll(context, bytes);
  return parsed.ok ? parsed : orAt('schema', parsed);
};
