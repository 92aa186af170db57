import type { FeedWatch, FeedWatcher } from '../../../../domain/ports/webhooks/feed-signal.ts';
import { storeKey, type StoreKey } from '../../../../domain/store-key.ts';
import { MAX_MERCHANT_WAITING, MAX_WAITING } from '../../../../domain/webhooks/feed.ts';
import { topicKey } from '../../work/feed-wake.ts';

/** End of a watch by itself. It is released at the end of the watch. */
export interface WatchEnd {
  readonly signal: AbortSignal;
  release(): void;
}

const topicsOf = ({ storeId, installationId }: FeedWatcher): string[] => [
  topicKey('store', storeId),
  ...(installationId === null ? [] : [topicKey('installation', installationId)]),
];

const limitOf = ({ storeId, installationId }: FeedWatcher): readonly [StoreKey, number] =>
  installationId === null ? [storeKey(storeId), MAX_MERCHANT_WAITING] : [storeKey(storeId, installationId), MAX_WAITING];

class Watch implements FeedWatch {
  #isChanged = false;
  #isOver = false;
  #resolve: ((isChanged: boolean) => void) | null = null;

  constructor(
    readonly watcher: FeedWatcher,
    private readonly onEnd: () => void,
  ) {}

  changed(): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    if (this.#isChanged) {
      this.#isChanged = false;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  wake(): void {
    if (this.#resolve) this.#answer(true);
    else this.#isChanged = true;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd();
    this.#answer(false);
  }

  #answer(isChanged: boolean): void {
    this.#resolve?.(isChanged);
    this.#resolve = null;
  }
}

export class FeedWatches {
  readonly #byTopic = new Map<string, Set<Watch>>();
  readonly #counts = new Map<StoreKey, number>();
  #areOver = false;

  /** A watch until the signal is aborted. Null when its watcher has as many as it may have. */
  open(watcher: FeedWatcher, until: WatchEnd): FeedWatch | null {
    const [whose, limit] = limitOf(watcher);
    const count = this.#counts.get(whose) ?? 0;
    if (count >= limit) {
      until.release();
      return null;
    }
    this.#counts.set(whose, count + 1);
    const close = (): void => {
      watch.end();
    };
    const watch = new Watch(watcher, () => {
      until.signal.removeEventListener('abort', close);
      until.release();
      this.#remove(watch);
    });
    for (const topic of topicsOf(watcher)) this.#byTopic.set(topic, (this.#byTopic.get(topic) ?? new Set()).add(watch));
    until.signal.addEventListener('abort', close);
    if (this.#areOver || until.signal.aborted) watch.end();
    return watch;
  }

  wake(topic: string): void {
    for (const watch of this.#byTopic.get(topic) ?? []) watch.wake();
  }

  wakeAll(): void {
    for (const watch of this.#all()) watch.wake();
  }

  /** Also every watch that is opened later. */
  endAll(): void {
    this.#areOver = true;
    for (const watch of this.#all()) watch.end();
  }

  storeIds(): string[] {
    return [...new Set(this.#all().map(({ watcher }) => watcher.storeId))];
  }

  #all(): Watch[] {
    return [...new Set([...this.#byTopic.values()].flatMap((watches) => [...watches]))];
  }

  #remove(watch: Watch): void {
    const [whose] = limitOf(watch.watcher);
    const count = (this.#counts.get(whose) ?? 0) - 1;
    if (count > 0) this.#counts.set(whose, count);
    else this.#counts.delete(whose);
    for (const topic of topicsOf(watch.watcher)) {
      const watches = this.#byTopic.get(topic);
      watches?.delete(watch);
      if (watches?.size === 0) this.#byTopic.delete(topic);
    }
  }
}
