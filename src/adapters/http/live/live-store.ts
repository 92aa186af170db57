import type { LiveBatch, LiveChannel, LiveItem, LiveSubject } from '../../../domain/ports/webhooks/live-channel.ts';
import type { LiveReader } from './live-reader.ts';

/** Items wait this long for others that go to the readers in the same write. */
const BATCH_MS = 50;
/** Items that are written at once, without a wait. */
const MAX_BATCH = 1_000;

const frameOf = (item: LiveItem): string => `event: ${item.kind}\ndata: ${JSON.stringify(item)}\n\n`;

/** The readers of one store on this node. Each item is made into bytes once for all of them. */
export class LiveStore {
  readonly readers = new Set<LiveReader>();
  readonly #stops: readonly (() => void)[];
  #frames: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(channel: Pick<LiveChannel, 'watch'>, subjects: readonly LiveSubject[]) {
    this.#stops = subjects.map((subject) =>
      channel.watch(subject, (batch) => {
        this.#receive(batch);
      }),
    );
  }

  close(): void {
    for (const stop of this.#stops) stop();
    if (this.#timer) clearTimeout(this.#timer);
  }

  #receive({ items, dropped }: LiveBatch): void {
    for (const item of items) {
      this.#frames.push(frameOf(item));
      if (this.#frames.length >= MAX_BATCH) this.#flush();
    }
    if (dropped > 0) for (const reader of this.readers) reader.lose(dropped);
    if (this.#frames.length > 0) {
      this.#timer ??= setTimeout(() => {
        this.#flush();
      }, BATCH_MS).unref();
    }
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const { length } = this.#frames;
    const bytes = Buffer.from(this.#frames.join(''));
    this.#frames = [];
    for (const reader of this.readers) reader.offer(bytes, length);
  }
}
