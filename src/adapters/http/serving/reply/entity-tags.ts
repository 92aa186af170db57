import type { IncomingHttpHeaders } from 'node:http';

import type { Precondition } from '../../../../domain/reading.ts';
import { refuse, type Refusal } from '../../../../domain/result.ts';
import type { Route } from '../../route-declaration.ts';

const tagsOf = (header: string | undefined): string[] => header?.split(',').map((tag) => tag.trim()) ?? [];

/**
 * True when an If-None-Match header has the tag. Express's `req.fresh` would answer 200 in place of
 * 304 where the request has Cache-Control: no-cache, which is meant for caches on the way.
 */
export const matches = (header: string | undefined, etag: string): boolean =>
  tagsOf(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);

/**
 * True when an If-Match header has the tag of the existing resource. A weak tag never matches (RFC
 * 9110, 13.1.1).
 */
const matchesStrongly = (header: string, etag: string): boolean => tagsOf(header).some((tag) => tag === '*' || tag === etag);

/** The condition of a write (RFC 9110, 13.2.2): If-Match, and If-None-Match, whose `*` is for a creation. Null without either. */
export const preconditionOf = (headers: IncomingHttpHeaders): Precondition | null => {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && noneMatch === undefined) return null;
  return (tag) => {
    const etag = tag === null ? null : `"${tag}"`;
    if (match !== undefined && !(etag !== null && matchesStrongly(match, etag))) return false;
    return noneMatch === undefined || etag === null || !matches(noneMatch, etag);
  };
};

const WRITES: ReadonlySet<string> = new Set(['put', 'patch', 'delete']);

const CONDITIONS = { 'if-match': 'If-Match', 'if-none-match': 'If-None-Match', 'if-unmodified-since': 'If-Unmodified-Since' };

/** Refuses a write with a condition that its route does not judge: an ignored one would overwrite what it is to protect. */
export const ignoredCondition = ({ method, etag }: Route, headers: IncomingHttpHeaders): Refusal<'invalid'> | null => {
  if (!WRITES.has(method)) return null;
  const given = Object.entries(CONDITIONS).filter(([name]) => headers[name] !== undefined);
  const [ignored] = given.filter(([name]) => !etag || name === 'if-unmodified-since');
  if (ignored === undefined) return null;
  const advice = etag ? 'Send the ETag of your last GET as If-Match.' : 'What it changes has no ETag. Leave the header out.';
  return refuse('invalid', `This request does not support ${ignored[1]}. ${advice}`);
};

const REWRITTEN = 'Send the tag as the server made it, or read with Accept-Encoding: identity.';

/** Says what to do where the tags of the condition cannot match anything; null where they can. */
export const tagAdvice = ({ 'if-match': match, 'if-none-match': noneMatch }: IncomingHttpHeaders): string | null => {
  if (match === undefined) return noneMatch === undefined ? null : 'If-None-Match: it exists already. Nothing was done.';
  const tags = tagsOf(match);
  if (tags.some((tag) => tag.startsWith('W/')))
    return `If-Match has a weak tag (W/), which a proxy made when it compressed the answer. ${REWRITTEN}`;
  if (tags.some((tag) => /[-;](gzip|br|zstd|deflate)"$/.test(tag)))
    return `If-Match has a tag that a proxy has extended when it compressed the answer. ${REWRITTEN}`;
  return tags.every((tag) => tag === '*' || /^"[^"]*"$/.test(tag))
    ? null
    : 'If-Match must have its tag in double quotes, as ETag has it.';
};
