import type { FeedEvent } from '../../../http/answers.ts';
import { isDelivered, sendOnce, type Attempt, type Receiver } from './attempt.ts';

export interface ForwardOptions {
  readonly receiver: Receiver;
  readonly signal: AbortSignal;
  /** Each attempt that has ended; `againIn` is null unless it is repeated after these seconds. */
  readonly onAttempt: (attempt: Attempt, againIn: number | null) => void;
}

/** Seconds before the next attempts; the last one repeats. A receiver in development is back soon. */
const WAITS = [1, 2, 5, 10] as const;

/** An attempt under way at the end may still be answered, so that its event is not sent again. */
const LAST_ANSWER_MS = 2_000;

const delayed = (signal: AbortSignal, ms: number): AbortSignal => {
  const later = new AbortController();
  const begin = (): void => {
    setTimeout(() => {
      later.abort();
    }, ms).unref();
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return later.signal;
};

/** Sends one event after the other. `again` sends the last one again, or tries a failing one at once. */
export const createForwarder = ({ receiver, signal, onAttempt }: ForwardOptions) => {
  const until = delayed(signal, LAST_ANSWER_MS);
  let last: { readonly event: FeedEvent; number: number } | null = null;
  let wake: (() => void) | null = null;
  // Requests are sent one by one: the receiver gets the events in their order.
  let sending: Promise<unknown> = Promise.resolve();

  const attempt = (event: FeedEvent, number: number): Promise<Attempt | null> => {
    const sent = sending.then(() => sendOnce(receiver, event, number, until));
    sending = sent;
    return sent;
  };
  const pause = (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        wake = null;
        resolve();
      };
      const timer = setTimeout(end, seconds * 1_000);
      signal.addEventListener('abort', end, { once: true });
      wake = end;
      if (signal.aborted) end();
    });

  return {
    /** Resolves with true when a 2xx has come, with false when the signal came first. */
    forward: async (event: FeedEvent): Promise<boolean> => {
      for (let number = 1; !signal.aborted; number += 1) {
        const outcome = await attempt(event, number);
        if (outcome === null) return false;
        if (isDelivered(outcome)) {
          last = { event, number };
          onAttempt(outcome, null);
          return true;
        }
        const seconds = WAITS[Math.min(number, WAITS.length) - 1] ?? 0;
        onAttempt(outcome, seconds);
        await pause(seconds);
      }
      return false;
    },
    again: (): void => {
      if (wake) wake();
      else if (last) {
        last.number += 1;
        void attempt(last.event, last.number).then((outcome) => {
          if (outcome) onAttempt(outcome, null);
        });
      }
    },
    idle: async (): Promise<void> => {
      await sending;
    },
  };
};
