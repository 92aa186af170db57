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
export const matchesStrongly = (header: string, etag: string): boolean =>
  tagsOf(header).some((tag) => tag === '*' || tag === etag);
