import { messageOf } from '../../domain/values/error.ts';
import { serverUrls, whereIs } from '../startup/database-url.ts';
import { pause } from '../startup/deadline.ts';
import { NotPrimary } from './not-primary.ts';
import { timelineOf } from './timeline.ts';

/** A connection that can be retired when another server is the primary. */
export interface Placed {
  /** Stops accepting work; in-flight statements get one second. */
  retire(): void;
}

/** After the first server that takes writes has answered, for those that were promoted after it. */
const OTHERS_MS = 300;
/** While a server is silent, those that take no writes are asked again: one may be promoted meanwhile. */
const PROMOTED_MS = 300;
/** Period of the question which server is the primary, while there are connections. */
const ASK_AGAIN_MS = 5_000;

interface Primary {
  readonly url: string;
  readonly timeline: number;
}

interface Heard {
  readonly url: string;
  /** Timeline of a server that takes writes. */
  readonly timeline: number | null;
  readonly fault: string;
}

type TimelineOf = typeof timelineOf;

const ask = async (url: string, timelineAt: TimelineOf): Promise<Heard> => {
  try {
    const timeline = await timelineAt(url);
    return { url, timeline, fault: timeline === null ? `${whereIs(url)} takes no writes` : '' };
  } catch (error) {
    return { url, timeline: null, fault: error instanceof NotPrimary ? error.message : `${whereIs(url)}: ${messageOf(error)}` };
  }
};

const silent = (url: string): Heard => ({ url, timeline: null, fault: `${whereIs(url)} does not answer` });

const firstPrimary = async (asked: readonly Promise<Heard>[]): Promise<void> => {
  const primaries = asked.map(async (one) => ((await one).timeline === null ? Promise.reject(new Error()) : undefined));
  await Promise.any(primaries).catch(() => undefined);
};

/** Asks each server, and again those that take no writes, until one does or each has answered. */
const askAll = (urls: readonly string[], timelineAt: TimelineOf): readonly Promise<Heard>[] => {
  const first = urls.map((url) => ask(url, timelineAt));
  let isOver = false;
  const all = Promise.all(first).then(() => {
    isOver = true;
  });
  return first.map(async (one, at) => {
    let heard = await one;
    while (heard.timeline === null) {
      await Promise.race([all, pause(PROMOTED_MS)]);
      if (isOver) break;
      heard = await ask(urls[at] ?? '', timelineAt);
    }
    if (heard.timeline !== null) isOver = true;
    return heard;
  });
};

/**
 * The primary among these. An old one that still runs after a promotion takes writes as well, but
 * its timeline is lower. Throws a NotPrimary that names the fault of each.
 */
export const findPrimary = async (urls: readonly string[], timelineAt: TimelineOf = timelineOf): Promise<Primary> => {
  const asked = askAll(urls, timelineAt);
  await firstPrimary(asked);
  const late = pause(OTHERS_MS, { isIdle: true });
  const heard = await Promise.all(asked.map((one, at) => Promise.race([one, late.then(() => silent(urls[at] ?? ''))])));
  const primaries = heard.flatMap(({ url, timeline }) => (timeline === null ? [] : [{ url, timeline }]));
  const [newest] = primaries.sort((one, other) => other.timeline - one.timeline);
  if (!newest) throw new NotPrimary(`No server is the primary: ${heard.map(({ fault }) => fault).join('; ')}`);
  return newest;
};

/** The servers that one DATABASE_URL names. One is the primary. */
export class Servers {
  readonly #urls: readonly string[];
  readonly #timelineOf: TimelineOf;
  readonly #connections = new Map<Placed, Primary>();
  /** The highest timeline that was met. It stays while its server is away: what an old primary then took would be lost. */
  #newest = 0;
  #finding: Promise<string> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, timelineAt: TimelineOf = timelineOf) {
    this.#urls = serverUrls(url);
    this.#timelineOf = timelineAt;
  }

  /** The address for a new connection. One server is not asked first: its connection tells. */
  primary(): Promise<string> {
    const [only = '', ...others] = this.#urls;
    return others.length === 0 ? Promise.resolve(only) : (this.#finding ??= this.#find());
  }

  /** A connection that ended by itself, or was refused: the next one asks where the primary is. */
  forget(): void {
    this.#finding = null;
  }

  /** `server` is what it was when the connection was opened. Throws a NotPrimary for an old primary. */
  add(connection: Placed, server: Primary): void {
    this.#meet(server);
    this.#connections.set(connection, server);
    this.#timer ??= setInterval(() => void this.askAgain(), ASK_AGAIN_MS).unref();
  }

  remove(connection: Placed): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * An old primary that nobody stopped keeps its connections. They end once another is promoted, also
   * where one name now leads to that one. Never rejects.
   */
  async askAgain(): Promise<void> {
    const primary = await this.#search().catch(() => null);
    if (primary === null) return;
    this.#finding = Promise.resolve(primary.url);
    for (const [connection, { url, timeline }] of this.#connections)
      if (url !== primary.url || timeline < primary.timeline) connection.retire();
  }

  #find(): Promise<string> {
    const finding = this.#search().then(({ url }) => url);
    finding.catch(() => {
      if (this.#finding === finding) this.#finding = null;
    });
    return finding;
  }

  async #search(): Promise<Primary> {
    const primary = await findPrimary(this.#urls, async (url) => {
      const timeline = await this.#timelineOf(url);
      if (timeline !== null) this.#meet({ url, timeline });
      return timeline;
    });
    // A connection may have met a newer one since this one answered.
    this.#meet(primary);
    return primary;
  }

  #meet({ url, timeline }: Primary): void {
    if (timeline < this.#newest) {
      const timelines = `its timeline is ${String(timeline)}, and this process has met ${String(this.#newest)}`;
      throw new NotPrimary(`${whereIs(url)} is an old primary: ${timelines}. Restart Tenon if this server is the right one`);
    }
    this.#newest = timeline;
  }
}

/** By DATABASE_URL: all connections of a process to the same servers share what is known of them. */
const known = new Map<string, Servers>();

export const serversAt = (url: string): Servers => {
  const servers = known.get(url) ?? new Servers(url);
  known.set(url, servers);
  return servers;
};
