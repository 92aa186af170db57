import { Readable } from 'node:stream';

/** Bytes that wait for a reader beside those in its socket. Beyond them it is slow. */
const MAX_WAITING_BYTES = 1_048_576;

const CONNECTED = 'retry: 2000\n: connected\n\n';
const HEARTBEAT = ': heartbeat\n\n';

/** Reports to a reader the items that it did not get. */
const droppedFrame = (count: number): string => `event: dropped\ndata: ${JSON.stringify({ kind: 'dropped', count })}\n\n`;

/**
 * The body of one reader's response. Nobody waits for a slow reader: it misses what comes until it
 * has read what waits, and then learns how many items that were.
 */
export class LiveReader extends Readable {
  #isSlow = false;
  #isFinished = false;
  #dropped = 0;

  constructor() {
    super({ highWaterMark: 16_384 });
    // Sends the head of the response too.
    this.push(CONNECTED);
  }

  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Offers frames of this many items. */
  offer(frames: Buffer, count: number): void {
    if (this.#mayTake()) this.push(frames);
    else this.#dropped += count;
  }

  /** Items that were lost on the way to every reader. */
  lose(count: number): void {
    this.#dropped += count;
    if (this.#mayTake()) this.#report();
  }

  beat(): void {
    if (this.#mayTake()) this.push(HEARTBEAT);
  }

  /** Ends the response. A slow reader is cut off. */
  finish(): void {
    this.#isFinished = true;
    if (this.#isSlow) this.destroy();
    else this.push(null);
  }

  override _read(): void {
    this.#isSlow = false;
    if (this.#dropped > 0) this.#report();
  }

  #mayTake(): boolean {
    if (this.#isFinished) return false;
    this.#isSlow ||= this.readableLength > MAX_WAITING_BYTES;
    return !this.#isSlow;
  }

  #report(): void {
    const count = this.#dropped;
    this.#dropped = 0;
    this.push(droppedFrame(count));
  }
}
