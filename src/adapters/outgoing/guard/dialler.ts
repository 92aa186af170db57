import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, createSecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { buildConnector } from 'undici';

import type { AddressResolver } from '../../../domain/ports/webhooks/address-resolver.ts';
import { codeOf } from '../../../domain/values/error.ts';
import { mayDial, type Cidr } from '../../../domain/webhooks/address.ts';
import { checkAddresses } from '../../../domain/webhooks/subscription.ts';
import type { Target } from '../../../domain/webhooks/webhook-url.ts';
import { AttemptFault, tlsErrorOf } from './attempt-fault.ts';

interface Dialling {
  readonly target: Target & { readonly port: number };
  /** Owner of the look-ups that the host's name is counted with. */
  readonly askedBy: string;
  /** Gives up and destroys the socket that is being opened. */
  readonly signal: AbortSignal;
  /** The time by which the connection must be open, by `performance.now()`. */
  readonly until: number;
  readonly onAddress: (address: string) => void;
}

/** Opens a TCP connection that leads to the target. Rejects with an AttemptFault. */
type DialRoute = (dialling: Dialling) => Promise<Socket>;

/** More addresses than the name of a receiver has. They share the time. */
const MAX_DIALLED = 4;

/**
 * The socket once it is open. When that takes longer than `milliseconds`, or the signal aborts, the
 * socket is destroyed and the promise rejects.
 */
export const opened = (
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  milliseconds: number,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const give = (fault: unknown) => socket.destroy(fault instanceof Error ? fault : new AttemptFault('connection_failed'));
    const abort = () => give(signal.reason);
    const timer = setTimeout(() => give(new AttemptFault('connect_timeout')), Math.max(1, milliseconds));
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    signal.addEventListener('abort', abort);
    // Both listeners stay: an error before undici listens would end the process.
    socket.on('error', reject).on('close', () => {
      settle();
      reject(new AttemptFault('connection_closed'));
    });
    socket.once(event, () => {
      settle();
      resolve(socket);
    });
    if (signal.aborted) abort();
  });

/**
 * Checks the address of the socket's other end too, so that nothing is sent to an address that is
 * not allowed, even when something between the check and the connection redirects it.
 */
const reachesAllowed = ({ remoteAddress = '' }: Socket, allowed: readonly Cidr[]): boolean =>
  ipaddr.isValid(remoteAddress) && mayDial(Uint8Array.from(ipaddr.parse(remoteAddress).toByteArray()), allowed);

const connectErrorOf = (error: unknown) => {
  if (error instanceof AttemptFault) return error.reason;
  return codeOf(error) === 'ETIMEDOUT' ? 'connect_timeout' : 'connection_failed';
};

/**
 * Connects directly to the target. Every address of its name is checked, and one that is not
 * allowed refuses the name (docs/specification/webhooks.md, "Addresses"). The checked addresses are
 * dialled in their order, without a second look-up. A literal address stands for itself.
 */
const direct =
  (addresses: AddressResolver, allowed: readonly Cidr[]): DialRoute =>
  async ({ target, askedBy, signal, until, onAddress }) => {
    const found = await addresses.resolve(target.host, askedBy);
    if (found === 'busy') throw new AttemptFault('name_lookups_busy');
    if (found.length === 0) throw new AttemptFault('name_not_resolved');
    if (checkAddresses(found, target.secure, allowed) !== null) throw new AttemptFault('address_not_allowed');
    const dialled = found.slice(0, MAX_DIALLED).map((bytes) => ipaddr.fromByteArray([...bytes]).toString());
    let fault = new AttemptFault('connection_failed');
    for (const [index, host] of dialled.entries()) {
      if (signal.aborted) break;
      onAddress(host);
      const share = (until - performance.now()) / (dialled.length - index);
      try {
        const socket = await opened(connect({ host, port: target.port, noDelay: true }), 'connect', signal, share);
        if (reachesAllowed(socket, allowed)) return socket;
        socket.destroy();
        throw new AttemptFault('address_not_allowed');
      } catch (error) {
        fault = new AttemptFault(connectErrorOf(error), error);
      }
    }
    throw fault;
  };

const dial =
  (route: DialRoute, secureContext: SecureContext) =>
  async (dialling: Dialling): Promise<Socket> => {
    const { target, signal, until } = dialling;
    const socket = await route(dialling);
    if (!target.secure) return socket;
    const literal = target.host.replace(/^\[|\]$/g, '');
    const name = ipaddr.isValid(literal) ? {} : { servername: target.host };
    const secured = connectTls({ socket, host: literal, ...name, secureContext, ALPNProtocols: ['http/1.1'] });
    try {
      return await opened(secured, 'secureConnect', signal, until - performance.now());
    } catch (error) {
      socket.destroy();
      throw error instanceof AttemptFault && error.reason === 'connect_timeout'
        ? error
        : new AttemptFault(tlsErrorOf(error), error);
    }
  };

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
