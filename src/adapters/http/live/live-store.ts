import { domainSubject, type LiveBatch, type LiveChannel, type LiveItem } from '../../../domain/ports/webhooks/live-channel.ts';
import { storeKey } from '../../../domain/store-key.ts';
import type { LiveReader } from './live-reader.ts';

/** Items wait this long for others that go to the readers in the same write. */
const BATCH_MS = 50;
/** Items that are written at once, without a wait. */
const MAX_BATCH = 1_000;

const frameOf = (item: LiveItem): string => `event: ${item.kind}\ndata: ${JSON.stringify(item)}\n\n`;

export interface WatchedStore {
  readonly id: string;
  readonly domain: string;
}

/** The store as it is now. Null when it does not exist, or is being erased. */
export type FindStore = (id: string) => Promise<WatchedStore | null>;

interface LiveStoreOptions {
  readonly channel: Pick<LiveChannel, 'watch'>;
  readonly find: FindStore;
}

/** The readers of one store on this node. Each item is made into bytes once for all of them. */
export class LiveStore {
  readonly readers = new Set<LiveReader>();
  readonly #id: string;
  readonly #options: LiveStoreOptions;
  readonly #stop: () => void;
  #domain = '';
  #stopDomain: () => void = () => undefined;
  /** Items that are known by the domain alone. */
  #byDomain: LiveItem[] = [];
  #frames: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(store: WatchedStore, options: LiveStoreOptions) {
    this.#id = store.id;
    this.#options = options;
    this.#stop = options.channel.watch(storeKey(store.id), (batch) => this.#receive(batch));
    this.#follow(store.domain);
  }

  close(): void {
    this.#stopDomain();
    this.#stop();
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Follows the store to the domain that it has now, or ends its readers when it is gone. */
  async renew(): Promise<void> {
    const store = await this.#options.find(this.#id);
    if (this.readers.size === 0) return;
    if (store === null) for (const reader of this.readers) reader.finish();
    else if (store.domain !== this.#domain) this.#follow(store.domain);
  }

  #follow(domain: string): void {
    this.#stopDomain();
    this.#byDomain = [];
    this.#domain = domain;
    this.#stopDomain = this.#options.channel.watch(domainSubject(domain), ({ items, dropped }) => {
      const kept = items.slice(0, MAX_BATCH - this.#byDomain.length);
      this.#byDomain.push(...kept);
      this.#lose(dropped + items.length - kept.length);
      this.#flushSoon();
    });
  }

  #receive({ items, dropped }: LiveBatch): void {
    for (const item of items) {
      this.#frames.push(frameOf(item));
      if (this.#frames.length >= MAX_BATCH) this.#flush();
    }
    this.#lose(dropped);
    if (this.#frames.length > 0) this.#flushSoon();
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#flush();
      void this.#judgeByDomain();
    }, BATCH_MS).unref();
  }

  /** An item belongs to the store that has its domain now. While the database is away nobody can tell, and the item is lost. */
  async #judgeByDomain(): Promise<void> {
    const items = this.#byDomain;
    if (items.length === 0) return;
    this.#byDomain = [];
    const domain = this.#domain;
    const isKnown = await this.renew().then(
      () => true,
      () => false,
    );
    if (!isKnown) this.#lose(items.length);
    else if (this.#domain === domain) this.#receive({ items, dropped: 0 });
  }

  #lose(count: number): void {
    if (count > 0) for (const reader of this.readers) reader.lose(count);
  }

  #flush(): void {
    const { length } = this.#frames;
    if (length === 0) return;
    const bytes = Buffer.from(this.#frames.join(''));
    this.#frames = [];
    for (const reader of this.readers) reader.offer(bytes, length);
  }
}
