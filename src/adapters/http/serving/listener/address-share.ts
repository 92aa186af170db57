import type { Server, Socket } from 'node:net';

import type { TrustsProxy } from './host.ts';
import { addressKey } from '../reply/rate-limit.ts';

/** A small listener is one of a test or of one machine: its few connections may be of one address. */
const LEAST = 16;

export const shareOf = (connections: number): number => Math.max(LEAST, Math.floor(connections / 4));

export interface AddressShareOptions {
  readonly most: number;
  /** A proxy has the connections of everybody behind it, and a limit of its own. */
  readonly trusts: TrustsProxy;
  readonly onRefused: () => void;
}

/** Closes a connection of an address that has its share already, as it opens. An IPv6 address is its /64. */
export const limitPerAddress = (server: Server, { most, trusts, onRefused }: AddressShareOptions): void => {
  const held = new Map<string, number>();
  const release = (key: string): void => {
    const left = (held.get(key) ?? 0) - 1;
    if (left > 0) held.set(key, left);
    else held.delete(key);
  };
  // Before the HTTP parser has the socket.
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // The connection is closed already, or a proxy's.
    if (remoteAddress === undefined || trusts(remoteAddress)) return;
    const key = addressKey(remoteAddress);
    const count = held.get(key) ?? 0;
    if (count >= most) {
      onRefused();
      socket.destroy();
      return;
    }
    held.set(key, count + 1);
    socket.once('close', () => {
      release(key);
    });
  });
};
