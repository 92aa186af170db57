/** A pattern of JavaScript and of PostgreSQL, so that both see the same host. Without regard to case. */
export const SOURCE_HOST = '^https?://([^/?#\\\\]*)';

const pattern = new RegExp(SOURCE_HOST, 'i');

/** The host of an image's URL, with its port. */
export const sourceHost = (url: string): string => pattern.exec(url)?.[1]?.toLowerCase() ?? '';
