/**
 * Whether an If-None-Match header has the tag. Express's `req.fresh` would answer 200 in place of
 * 304 where the request has Cache-Control: no-cache, which is meant for caches on the way.
 */
export const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false;
