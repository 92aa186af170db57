import type { Request } from 'express';

import { refuse, type Refusal } from '../../../domain/result.ts';
import { isLoopback } from '../../../domain/values/url.ts';
import { mediaType } from '../serving/input/body.ts';
import { originOf, storeDomain, type TrustsProxy } from '../serving/listener/host.ts';
import type { ConsoleReason } from '../serving/reply/refusals.ts';

export interface GuardOptions {
  readonly trusts: TrustsProxy;
  /** True when the console may be opened on this host, in lower case and without a port. */
  readonly isOwnHost: (host: string) => boolean;
}

type Forbidden = Refusal<'forbidden'> & { readonly reason: ConsoleReason };

const FOREIGN_HOST = {
  ...refuse('forbidden', 'The console is not open on this host. Use 127.0.0.1 or localhost, or add the host to CONSOLE_HOSTS.'),
  reason: 'foreign_host',
} as const;
const FOREIGN_PAGE = {
  ...refuse(
    'forbidden',
    'The request did not come from a page of this console. Open the console over https, or on 127.0.0.1 or localhost.',
  ),
  reason: 'foreign_page',
} as const;
const NO_HEADER = {
  ...refuse('forbidden', 'A request that changes something must have the header X-Tenon-Console: 1.'),
  reason: 'no_console_header',
} as const;
const FORM = {
  ...refuse('forbidden', 'The console takes no forms. Send a body as application/json.'),
  reason: 'console_form',
} as const;

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Media types that another site's page can send without the browser asking this server first. */
const FORMS: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);

/**
 * Browsers say where a request comes from, and no page can change it. A browser that does not say
 * so, which happens over http, at least names the origin of a request that changes something.
 */
const isOwnPage = (request: Request, trusts: TrustsProxy): boolean => {
  const sites = request.headersDistinct['sec-fetch-site'];
  if (sites) return sites.length === 1 && sites[0] === 'same-origin';
  const origins = request.headersDistinct['origin'] ?? [];
  return origins.length === 1 && origins[0] === originOf(request, trusts);
};

const mutationRefusal = ({ headersDistinct, headers }: Request): Forbidden | null => {
  const marks = headersDistinct['x-tenon-console'] ?? [];
  if (marks.length !== 1 || marks[0] !== '1') return NO_HEADER;
  return FORMS.has(mediaType(headers['content-type'])) ? FORM : null;
};

/**
 * Returns the reason why a request may not use the console's cookie; null where it may. The cookie
 * alone proves nothing: a page on another port of this host sends it too.
 */
export const guardRefusal = (request: Request, { trusts, isOwnHost }: GuardOptions): Forbidden | null => {
  const host = storeDomain(request, trusts);
  if (host.kind !== 'domain' || !isOwnHost(host.domain)) return FOREIGN_HOST;
  if (!isOwnPage(request, trusts)) return FOREIGN_PAGE;
  return SAFE.has(request.method) ? null : mutationRefusal(request);
};

/** Loopback addresses, and these hosts. A name that an attacker controls can lead to 127.0.0.1, so others are refused. */
export const ownHosts = (hosts: readonly string[]): GuardOptions['isOwnHost'] => {
  const names: ReadonlySet<string> = new Set(hosts.map((host) => (host.includes(':') ? `[${host}]` : host).toLowerCase()));
  return (host) => isLoopback(host) || names.has(host);
};
