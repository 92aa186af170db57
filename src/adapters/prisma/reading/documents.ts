import { hash } from 'node:crypto';

import type { JsonDocument, Reading } from '../../../domain/reading.ts';
import type { StoreKey } from '../../../domain/store-key.ts';
import type { ReadCache } from './read-cache.ts';

/** Renderings that are under way, by what they render, so that a stampede renders once. */
export class Flights<Result> {
  readonly #flying = new Map<StoreKey, Promise<Result>>();

  current(key: StoreKey): Promise<Result> | undefined {
    return this.#flying.get(key);
  }

  start(key: StoreKey, render: () => Promise<Result>): Promise<Result> {
    const flight = render().finally(() => {
      if (this.#flying.get(key) === flight) this.#flying.delete(key);
    });
    this.#flying.set(key, flight);
    return flight;
  }
}

export interface Rendering {
  readonly version: string;
  readonly text: string;
}

interface Kept extends JsonDocument {
  readonly version: string;
  readonly bytes: Uint8Array;
}

type Render = () => Promise<Rendering | null>;

type ReadCachedDocument = (key: StoreKey, reading: Reading | undefined, render: Render) => Promise<JsonDocument | null>;

type Has = NonNullable<Reading['has']>;

export const hasNone: Has = () => false;

/**
 * Bytes that share no memory with others: a small Buffer.from is a part of a slab, which it would
 * keep as a whole.
 */
export const ownBytes = (text: string): Uint8Array => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
};

/**
 * The tag of what has this key in this version. `rendering` names how it is rendered, so that a tag
 * from before an update of Tenon does not match a document that has other fields since.
 */
export const tagOf = (rendering: string, key: StoreKey, version: string): string =>
  hash('sha1', `${rendering} ${key} ${version}`, 'base64url');

const unlessHad = (kept: Kept | null, has: Has): JsonDocument | null =>
  kept && has(kept.tag) ? { tag: kept.tag, bytes: null } : kept;

/**
 * Documents that are kept with their versions. A version is random, and new with each change
 * (revision.ts), so bytes of the version that PostgreSQL has just named are those that it
 * would render.
 */
export const readingDocuments = (cache: ReadCache, name: string, rendering: string): ReadCachedDocument => {
  const shelf = cache.shelf<Kept>(name, ({ bytes }) => bytes.length);
  const flights = new Flights<Kept | null>();

  const keep = async (key: StoreKey, render: Render): Promise<Kept | null> => {
    const rendered = await render();
    if (rendered === null) return null;
    const { version, text } = rendered;
    const kept = { version, tag: tagOf(rendering, key, version), bytes: ownBytes(text) };
    shelf.put(key, version, kept);
    return kept;
  };

  /**
   * A rendering that is under way may have begun before the version was looked up, so it counts only
   * if it has this version. What is under way after it began later.
   */
  const renderOnce = async (key: StoreKey, version: string, render: Render): Promise<Kept | null> => {
    const underWay = flights.current(key);
    if (underWay) {
      const joined = await underWay.catch(() => null);
      if (joined?.version === version) return joined;
    }
    return flights.current(key) ?? flights.start(key, () => keep(key, render));
  };

  return async (key, { version, has = hasNone } = {}, render) => {
    if (version === null) return null;
    if (version === undefined) return unlessHad(await keep(key, render), has);
    const kept = shelf.get(key, version);
    const tag = kept?.tag ?? tagOf(rendering, key, version);
    if (has(tag)) return { tag, bytes: null };
    return kept ?? unlessHad(await renderOnce(key, version, render), has);
  };
};
