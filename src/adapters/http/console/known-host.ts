import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';

import { refuse } from '../../../domain/result.ts';
import { ownHosts } from './guard.ts';
import { storeDomain, type TrustsProxy } from '../serving/listener/host.ts';
import { sendError } from '../serving/reply/send-error.ts';

export interface KnownHostOptions {
  readonly trusts: TrustsProxy;
  /** True when requests may name this host, in lower case and without a port. */
  readonly isKnown: (host: string) => boolean;
}

/** Paths without a token or a session. */
const OPEN_PATHS = new Set(['/metrics', '/openapi.json']);

const FOREIGN_HOST = refuse(
  'forbidden',
  'The admin listener does not answer for this host. Use its address, or add the host to CONSOLE_HOSTS.',
);

/**
 * A page of another site can make its own name lead to this machine, and then read what needs no
 * credentials. So those paths are for known hosts.
 */
export const knownHost =
  ({ trusts, isKnown }: KnownHostOptions): RequestHandler =>
  (request, response, next) => {
    const host = OPEN_PATHS.has(request.path) ? storeDomain(request, trusts) : null;
    if (host === null || (host.kind === 'domain' && isKnown(host.domain))) {
      next();
      return;
    }
    response.locals.notes.reason = 'foreign_host';
    sendError(request, response, 'problem', FOREIGN_HOST);
  };

/** The hosts of the console, and what Prometheus scrapes: an address, or the name of a container. Nobody can register either. */
export const scrapedHosts = (hosts: readonly string[]): KnownHostOptions['isKnown'] => {
  const isOwn = ownHosts(hosts);
  return (host) => isOwn(host) || !host.includes('.') || ipaddr.isValid(host);
};
