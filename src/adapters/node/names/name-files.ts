import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';

import { parseAddress } from './ip-address.ts';

/** Rules for completing names: `search` and `options ndots` of resolv.conf(5). */
export interface SearchRules {
  readonly domains: readonly string[];
  /** A name with fewer dots is completed before it is looked up as it is. */
  readonly ndots: number;
}

export type HostNames = ReadonlyMap<string, readonly Uint8Array[]>;

const LARGEST_NDOTS = 15;

const linesOf = (text: string): string[][] =>
  text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );

export const parseHosts = (text: string): HostNames => {
  const found = new Map<string, Uint8Array[]>();
  for (const [given = '', ...names] of linesOf(text)) {
    // A zone (fe80::1%eth0) belongs to the link, not to the address.
    const address = parseAddress(given.split('%', 1)[0] ?? '');
    if (!address) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      found.set(key, [...(found.get(key) ?? []), address]);
    }
  }
  return found;
};

export const parseSearchRules = (text: string, host = hostname()): SearchRules => {
  // Without a line that says more, names are completed with the domain of this machine.
  let domains = [host.split('.').slice(1).join('.')];
  let ndots = 1;
  for (const [word = '', ...values] of linesOf(text)) {
    if (word === 'search') domains = values;
    if (word === 'domain') domains = values.slice(0, 1);
    if (word !== 'options') continue;
    for (const option of values) ndots = Number(/^ndots:(\d+)$/.exec(option)?.[1] ?? ndots);
  }
  const bare = domains.map((domain) => domain.replace(/\.$/, '').toLowerCase());
  return { domains: bare.filter((domain) => domain !== ''), ndots: Math.min(ndots, LARGEST_NDOTS) };
};

/** The names that are looked up for a name, one after the other. */
export const completions = (name: string, { domains, ndots }: SearchRules): string[] => {
  const completed = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length > ndots ? [name, ...completed] : [...completed, name];
};

/**
 * Looks at the file at most this often, and reads it again when it has changed. A file that is
 * missing or cannot be read is empty, as for the system's resolver.
 */
export const readWhenChanged = <T>(path: string, parse: (text: string) => T, everyMilliseconds: number): (() => Promise<T>) => {
  let known = { stamp: '', value: parse('') };
  let nextLook = 0;
  let latest: Promise<T> | null = null;
  const look = async (): Promise<T> => {
    const stamp = await stat(path).then(
      ({ mtimeMs, size, ino }) => [mtimeMs, size, ino].join(),
      () => '',
    );
    if (stamp !== known.stamp) known = { stamp, value: parse(await readFile(path, 'utf8').catch(() => '')) };
    return known.value;
  };
  return () => {
    if (latest && performance.now() < nextLook) return latest;
    nextLook = performance.now() + everyMilliseconds;
    return (latest = look());
  };
};
