import { Resolver } from 'node:dns/promises';

import { codeOf } from '../../../domain/values/error.ts';
import { withDeadline } from '../../startup/deadline.ts';

export type LookUpOutcome = 'found' | 'not_found' | 'failed' | 'timed_out';

export interface LookedUp {
  readonly outcome: LookUpOutcome;
  readonly addresses: readonly string[];
}

/** Three tries within 2 seconds: c-ares doubles the wait for each. */
const TRY = { timeout: 500, tries: 3 };

const NOTHING_THERE: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);
const NO_ANSWER: ReadonlySet<unknown> = new Set(['ETIMEOUT', 'ECANCELLED']);

/** IPv4 and IPv6 in turn, so that the first few addresses that are dialled have both. */
const inTurn = (first: readonly string[], second: readonly string[]): string[] =>
  Array.from({ length: Math.max(first.length, second.length) }, (_, n) => [first[n], second[n]])
    .flat()
    .filter((address) => address !== undefined);

const outcomeOf = (codes: readonly unknown[]): LookUpOutcome => {
  if (codes.every((code) => NOTHING_THERE.has(code))) return 'not_found';
  return codes.some((code) => NO_ANSWER.has(code)) ? 'timed_out' : 'failed';
};

const both = async (resolver: Resolver, name: string): Promise<LookedUp> => {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const of = (answer: PromiseSettledResult<string[]>) => (answer.status === 'fulfilled' ? answer.value : []);
  const addresses = inTurn(of(v4), of(v6));
  if (addresses.length > 0) return { outcome: 'found', addresses };
  return { outcome: outcomeOf([v4, v6].map((answer) => answer.status === 'rejected' && codeOf(answer.reason))), addresses };
};

/**
 * Asks the next name server when one cannot tell, as the system's resolver does. c-ares does so
 * only for a server that is silent.
 */
const ask = async (resolver: Resolver, servers: readonly string[], name: string): Promise<LookedUp> => {
  let answer = await both(resolver, name);
  for (let n = 1; n < servers.length && answer.outcome === 'failed'; n += 1) {
    resolver.setServers(servers.slice(n));
    answer = await both(resolver, name);
    resolver.setServers(servers);
  }
  return answer;
};

/**
 * `NAME_SERVERS`: addresses with an optional port, separated by commas. Throws for anything else.
 */
export const parseNameServers = (text: string): string[] => {
  const servers = text.split(',').map((entry) => entry.trim());
  // `setServers` takes a port of any length.
  if (servers.some((server) => Number(/:(\d+)$/.exec(server)?.[1] ?? 0) > 65_535)) throw new Error('A port is too large');
  new Resolver().setServers(servers);
  return servers;
};

const LATE: LookedUp = { outcome: 'timed_out', addresses: [] };

/**
 * Looks names up in the DNS by c-ares: not by getaddrinfo, whose threads all names of the process
 * share. Without `servers`, those of /etc/resolv.conf are asked.
 */
export class NameQueries {
  readonly #servers: readonly string[] | null;
  readonly #milliseconds: number;
  readonly #open = new Set<Resolver>();
  #isClosed = false;

  constructor(servers: readonly string[] | null, milliseconds: number) {
    this.#servers = servers;
    this.#milliseconds = milliseconds;
  }

  /** The addresses of the first of these names that has some. They share the time. */
  lookUp(names: readonly string[]): Promise<LookedUp> {
    return withDeadline(this.#milliseconds, undefined, async (until) => {
      // Each look-up has a resolver of its own: it ends alone, and reads /etc/resolv.conf as it is now.
      const resolver = new Resolver(TRY);
      if (this.#servers) resolver.setServers(this.#servers);
      const servers = resolver.getServers();
      this.#open.add(resolver);
      until.addEventListener('abort', () => resolver.cancel());
      try {
        return await this.#first(names, (name) => (until.aborted ? LATE : ask(resolver, servers, name)));
      } finally {
        this.#open.delete(resolver);
      }
    });
  }
  async #first(names: readonly string[], look: (name: string) => Promise<LookedUp> | LookedUp): Promise<LookedUp> {
    let failed: LookedUp | null = null;
    for (const name of names) {
      const answer = this.#isClosed ? LATE : await look(name);
      if (answer.outcome === 'found' || answer.outcome === 'timed_out') return answer;
      if (answer.outcome === 'failed') failed = answer;
    }
    return failed ?? { outcome: 'not_found', addresses: [] };
  }

  close(): void {
    this.#isClosed = true;
    for (const resolver of this.#open) resolver.cancel();
  }
}
