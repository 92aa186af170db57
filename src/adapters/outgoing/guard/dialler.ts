import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { buildConnector } from 'undici';

import type { Cidr } from '../../../domain/webhooks/address.ts';
import type { AddressResolver } from '../../../domain/ports/webhooks/address-resolver.ts';
import { AttemptFault } from './attempt-fault.ts';
import { dial, direct, type Dialling } from './dial.ts';
import { throughProxy } from './tunnel.ts';

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
