import type { LiveReader } from './live-reader.ts';

/** Readers of one node at once. */
export const MAX_LIVE_READERS = 200;
/** Streams of one operator at once, however often they have signed in, so that one person does not take those of everybody. */
export const MAX_OPERATOR_STREAMS = 20;
/** Streams that operators leave to the holder of the admin token. */
export const OWNER_STREAMS = 20;

/** Groups that may have all their streams open. */
export type FullShare = 'node' | 'operators' | 'operator';

/** Counts the streams of this node by reader. Null is the holder of the admin token. */
export class LiveShares {
  readonly #operators = new Map<string, number>();
  #readers = 0;
  #owner = 0;

  full(operatorId: string | null): FullShare | null {
    if (this.#readers >= MAX_LIVE_READERS) return 'node';
    if (operatorId === null) return null;
    if ((this.#operators.get(operatorId) ?? 0) >= MAX_OPERATOR_STREAMS) return 'operator';
    return this.#readers - this.#owner >= MAX_LIVE_READERS - OWNER_STREAMS ? 'operators' : null;
  }

  add(operatorId: string | null, reader: LiveReader): void {
    this.#count(operatorId, 1);
    reader.once('close', () => this.#count(operatorId, -1));
  }

  #count(operatorId: string | null, change: 1 | -1): void {
    this.#readers += change;
    if (operatorId === null) {
      this.#owner += change;
      return;
    }
    const streams = (this.#operators.get(operatorId) ?? 0) + change;
    if (streams > 0) this.#operators.set(operatorId, streams);
    else this.#operators.delete(operatorId);
  }
}
