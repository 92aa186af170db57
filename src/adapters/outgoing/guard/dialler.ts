import { request } from 'node:http';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { buildConnector } from 'undici';

import type { AddressResolver } from '../../../domain/ports/webhooks/address-resolver.ts';
import type { Cidr } from '../../../domain/webhooks/address.ts';
import { checkAddresses } from '../../../domain/webhooks/subscription.ts';
import { AttemptFault } from './attempt-fault.ts';
import { type Dialling, type DialRoute, dial, direct } from './dial.ts';

const literalOf = (host: string): Uint8Array[] => {
  const bare = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? [Uint8Array.from(ipaddr.parse(bare).toByteArray())] : [];
};

/** `user:password` of the proxy's URL, in the form of RFC 7617. */
const credentialsOf = ({ username, password }: URL): Record<string, string> => {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
};

const openTunnel = (proxy: URL, { target, signal, until }: Dialling): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const authority = `${target.host}:${target.port}`;
    const asked = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || 80,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentialsOf(proxy) },
      agent: false,
      signal,
    });
    const fail = (cause?: unknown) => {
      clearTimeout(timer);
      asked.destroy();
      reject(new AttemptFault('proxy_failed', cause));
    };
    const timer = setTimeout(fail, Math.max(1, until - performance.now()));
    asked.on('error', fail).on('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        fail();
        return;
      }
      clearTimeout(timer);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.end();
  });

/**
 * Connects through an HTTP proxy, by CONNECT for http and https. The proxy resolves names and
 * checks what it dials, so only literal addresses are checked before. `proxy` is
 * `http://[user:password@]host[:port]`.
 */
const throughProxy = (proxy: string, allowed: readonly Cidr[]): DialRoute => {
  const url = new URL(proxy);
  return async (dialling) => {
    const literal = literalOf(dialling.target.host);
    if (literal.length > 0 && checkAddresses(literal, dialling.target.secure, allowed) !== null)
      throw new AttemptFault('address_not_allowed');
    return await openTunnel(url, dialling);
  };
};

export interface DiallerOptions {
  readonly addresses: AddressResolver;
  readonly allowed: readonly Cidr[];
  /** `http://[user:password@]host[:port]`: all connections go through it. */
  readonly proxy?: string | undefined;
  /** Certificate authorities as PEM, in place of those that Node trusts. */
  readonly authorities?: string | undefined;
}

/**
 * Opens a connection to the target, with TLS 1.2 or later where it is secure. Rejects with an
 * AttemptFault.
 */
export type Dialler = (dialling: Dialling) => Promise<Socket>;

/** The only way to connect to addresses that clients name (docs/specification/webhooks.md, "Addresses"). */
export const createDialler = ({ addresses, allowed, proxy, authorities }: DiallerOptions): Dialler =>
  dial(
    proxy === undefined ? direct(addresses, allowed) : throughProxy(proxy, allowed),
    createSecureContext({ minVersion: 'TLSv1.2', ca: authorities }),
  );

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

export const connectBy =
  (open: () => Promise<Socket>): buildConnector.connector =>
  (_options, done) =>
    void open().then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new AttemptFault('connection_failed', error), null),
    );
