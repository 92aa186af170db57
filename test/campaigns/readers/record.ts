import type pg from 'pg';

import { now } from '../faults/history.ts';
import { digestOf } from './canonical.ts';
import { listPages, listPath, pageOf } from './pages.ts';
import { render, type Changed, type Rendered } from './reference.ts';
import type { Shop } from './shop.ts';
import { MISSING, Timeline, type Moment } from './timeline.ts';

/** Pages of a collection that readers ask for. */
export const COLLECTION_PAGES = [
  { skip: 0, take: 50 },
  { skip: 5, take: 10 },
];

export const detailPath = (id: string): string => `/apps/catalog/products/${id}`;
export const collectionPath = (id: string, { skip, take }: { skip: number; take: number }): string =>
  `/apps/catalog/collections/${id}/products?skip=${skip}&take=${take}`;

/**
 * Content of each page of a store over time, by its path. The writes of a store are sequential, and
 * after each one its pages are rendered again, before the next one is sent. So every content that a
 * reader may see is known.
 */
export class StoreRecord {
  readonly #timelines = new Map<string, Timeline>();
  #waiting: (() => void)[] = [];
  #writing = false;
  /** When the last write was answered. */
  lastWriteAt: Moment = -Infinity;

  constructor(
    private readonly pool: pg.Pool,
    readonly shop: Shop,
  ) {}

  timeline(path: string): Timeline {
    const found = this.#timelines.get(path) ?? new Timeline();
    this.#timelines.set(path, found);
    return found;
  }

  /** Renders all pages, before the first read. */
  async begin(): Promise<void> {
    await this.#record({ by: 'id', ids: this.shop.productIds }, now(), now());
  }

  /** Sends a write, and records what the store shows afterwards. */
  async write(changed: Changed, run: () => Promise<unknown>): Promise<void> {
    const sentAt = now();
    this.#writing = true;
    await run();
    this.lastWriteAt = now();
    await this.#record(changed, sentAt, this.lastWriteAt);
    this.#writing = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const judge of waiting) judge();
  }

  /** True when a write is in progress, or was in progress since this moment. */
  overlaps(beganAt: Moment): boolean {
    return this.#writing || this.lastWriteAt >= beganAt;
  }

  /** Calls `judge` once all writes that were sent so far are recorded. */
  whenRecorded(judge: () => void): void {
    if (this.#writing) this.#waiting.push(judge);
    else judge();
  }

  async #record(changed: Changed, sentAt: Moment, answeredAt: Moment): Promise<void> {
    const rendered = await render(this.pool, this.shop.storeId, changed);
    const add = (path: string, content: string): void => this.timeline(path).add(content, sentAt, answeredAt);
    for (const [id, json] of rendered.details) add(detailPath(id), digestOf(json));
    if (changed.by === 'id') for (const id of changed.ids) if (!rendered.details.has(id)) add(detailPath(id), MISSING);
    for (const page of listPages(this.shop.categoryIds)) add(listPath(page), digestOf(pageOf(rendered.items, page)));
    this.#recordCollections(rendered, add);
  }

  #recordCollections({ collections }: Rendered, add: (path: string, content: string) => void): void {
    for (const [collectionId, productIds] of collections) {
      for (const { skip, take } of COLLECTION_PAGES) {
        const shown = productIds.slice(skip, skip + take);
        const page = { collectionId, productIds: shown, skip, take, total: productIds.length };
        add(collectionPath(collectionId, { skip, take }), digestOf(JSON.stringify(page)));
      }
    }
  }
}
