import { LRUCache } from 'lru-cache';

import type { AddressResolver } from '../../../domain/ports/webhooks/address-resolver.ts';
import { MAX_NAME_LOOK_UPS, NAME_LOOK_UP_SECONDS } from '../../../domain/webhooks/name-look-ups.ts';
import { parseAddress } from './ip-address.ts';
import { LookUpPlaces } from './look-up-places.ts';
import { completions, parseHosts, parseSearchRules, readWhenChanged } from './name-files.ts';
import { NameQueries, type LookUpOutcome } from './name-queries.ts';

export interface AddressResolverOptions {
  /** The name servers, with a port where it is not 53. By default those of /etc/resolv.conf. */
  readonly servers?: readonly string[] | undefined;
  /** For a look-up, and for the wait for its place. */
  readonly timeoutMilliseconds?: number;
  /** Look-ups at once, of all askers. */
  readonly atOnce?: number;
  readonly hostsPath?: string;
  readonly resolvPath?: string;
  /** Period of the looks at these files. 1000 by default. */
  readonly lookMilliseconds?: number;
}

export interface NameFigures {
  readonly open: number;
  readonly waiting: number;
  /** Since the process started. */
  readonly ended: Readonly<Record<LookUpOutcome | 'busy', number>>;
}

export interface NodeAddressResolver extends AddressResolver {
  figures(): NameFigures;
  /** Ends the look-ups. Their names do not resolve. */
  close(): void;
}

/** Each has a socket of its own. */
const AT_ONCE = 256;

/** Shorter than the first wait of a retry, so that each attempt asks again. */
const UNKNOWN = { max: 10_000, ttl: 2_000 };

const LOOPBACK = [Uint8Array.of(127, 0, 0, 1), Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)];
const isLoopback = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

/**
 * Resolves the names that clients give: from /etc/hosts, then from the DNS with the search domains
 * of /etc/resolv.conf. With `servers`, names are looked up as they are.
 */
export const createAddressResolver = ({
  servers,
  timeoutMilliseconds = NAME_LOOK_UP_SECONDS * 1000,
  atOnce = AT_ONCE,
  hostsPath = '/etc/hosts',
  resolvPath = '/etc/resolv.conf',
  lookMilliseconds = 1000,
}: AddressResolverOptions = {}): NodeAddressResolver => {
  const queries = new NameQueries(servers ?? null, timeoutMilliseconds);
  const places = new LookUpPlaces({ share: MAX_NAME_LOOK_UPS, all: atOnce, maxWaitMilliseconds: timeoutMilliseconds });
  const hosts = readWhenChanged(hostsPath, parseHosts, lookMilliseconds);
  const searchRules = readWhenChanged(resolvPath, parseSearchRules, lookMilliseconds);
  const lookingUp = new Map<string, Promise<readonly Uint8Array[]>>();
  const unknown = new LRUCache<string, true>(UNKNOWN);
  const ended = { found: 0, not_found: 0, failed: 0, timed_out: 0, busy: 0 };

  const lookUp = async (name: string): Promise<readonly Uint8Array[]> => {
    const names = servers ? [name] : completions(name, await searchRules());
    const { outcome, addresses } = await queries.lookUp(names);
    ended[outcome] += 1;
    if (outcome !== 'found') unknown.set(name, true);
    return addresses.map(parseAddress).filter((address) => address !== null);
  };

  /** A look-up of the name that has begun, or what is known without one. */
  const present = (name: string): Promise<readonly Uint8Array[]> | readonly Uint8Array[] | undefined =>
    unknown.has(name) ? [] : lookingUp.get(name);

  /** A name that waits for its place has not begun: another asker does not have to wait for it. */
  const begin = (name: string): Promise<readonly Uint8Array[]> => {
    const begun = lookUp(name).finally(() => lookingUp.delete(name));
    lookingUp.set(name, begun);
    return begun;
  };

  return {
    resolve: async (host, askedBy) => {
      const literal = parseAddress(host);
      if (literal) return [literal];
      const name = host.toLowerCase();
      const known = isLoopback(name) ? LOOPBACK : (await hosts()).get(name);
      if (known) return known;
      const found = present(name) ?? places.run(askedBy, async () => present(name) ?? begin(name));
      const addresses = await found;
      if (addresses === 'busy') ended.busy += 1;
      return addresses;
    },
    figures: () => ({ open: places.open, waiting: places.waiting, ended: { ...ended } }),
    close: () => {
      places.close();
      queries.close();
    },
  };
};
