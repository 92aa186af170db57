import { now } from '../faults/history.ts';
import type { Random } from '../faults/random.ts';
import { send, type Node } from './client.ts';
import type { Judge } from './judge.ts';
import { listPages, listPath } from './pages.ts';
import { COLLECTION_PAGES, collectionPath, detailPath, type StoreRecord } from './record.ts';
import type { App } from './shop.ts';
import { anyProduct } from './writes.ts';

export interface Readers {
  readonly random: Random;
  readonly nodes: readonly Node[];
  readonly records: readonly StoreRecord[];
  readonly judge: Judge;
  /** The last tag of each page that any reader got, also of a page of another store with the same path. */
  readonly tags: Map<string, string>;
  /** Counts a read that is about to be sent. False where there are enough. */
  readonly mayRead: () => boolean;
}

const pathOf = (random: Random, { shop }: StoreRecord): string => {
  const drawn = random.next();
  if (drawn < 0.6) return detailPath(anyProduct(random, shop));
  if (drawn < 0.9) return listPath(random.pick(listPages(shop.categoryIds)));
  return collectionPath(random.pick(shop.collectionIds), random.pick(COLLECTION_PAGES));
};

const appOf = (random: Random, { shop }: StoreRecord): App =>
  shop.shortLivedApps.length > 0 && random.chance(0.2) ? random.pick(shop.shortLivedApps) : shop.app;

interface Target {
  readonly record: StoreRecord;
  readonly path: string;
  readonly node: Node;
}

/** Reads a page, unless there were enough reads. */
export const readOnce = async (readers: Readers, { record, path, node }: Target): Promise<boolean> => {
  const { random, judge, tags, mayRead } = readers;
  if (!mayRead()) return false;
  const app = appOf(random, record);
  const tag = random.chance(0.4) ? (tags.get(path) ?? null) : null;
  const headers = { ...app.headers, ...(tag !== null && { 'if-none-match': tag }) };
  const beganAt = now();
  const answer = await send(node, { path, headers });
  judge.judge({ record, app, path, tag, beganAt, endedAt: now(), answer });
  if (answer.status === 200 && answer.etag !== null) tags.set(path, answer.etag);
  return true;
};

/** Reads one page after the other, each from one of the nodes, until there are enough. */
export const readAgainAndAgain = async (readers: Readers): Promise<void> => {
  const { random, nodes, records } = readers;
  for (;;) {
    const record = random.pick(records);
    const path = pathOf(random, record);
    if (!(await readOnce(readers, { record, path, node: random.pick(nodes) }))) return;
  }
};
