import type { IncomingMessage } from 'node:http';

import { parseUrl } from '../../../../domain/values/url.ts';

const SLASH = 0x2f;

/** `http://host:port/path?query`: the authority, and what follows it as it was sent. */
const ABSOLUTE = /^https?:\/\/([^/?#\\]+)([/?].*)?$/i;

/**
 * The host of an absolute target counts, and the Host header is ignored (RFC 9112, 3.2.2). One that
 * is missing or repeated stays so, and is refused.
 */
const setHost = (req: IncomingMessage, authority: string): void => {
  const hosts = req.headersDistinct['host'];
  if (hosts?.length === 1) hosts[0] = authority;
  else if (hosts === undefined && req.httpVersion === '1.0') req.headersDistinct['host'] = [authority];
  else return;
  req.headers.host = authority;
};

/**
 * Normalises the target of the request; false where it cannot be read. An absolute one becomes its
 * path, and its host the request's. `*` is left unchanged.
 */
export const takeTarget = (req: IncomingMessage): boolean => {
  const { url = '' } = req;
  if (url.charCodeAt(0) === SLASH || url === '*') return true;
  const [, authority, rest = '/'] = ABSOLUTE.exec(url) ?? [];
  if (authority === undefined || parseUrl(url) === null) return false;
  req.url = rest.startsWith('?') ? `/${rest}` : rest;
  setHost(req, authority);
  return true;
};
