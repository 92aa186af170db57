import type { CallOptions, Send } from './call.ts';
import { inChunks, type Limits } from './chunks.ts';

/** Names an operation, so that it is done once however often its request is sent. */
export interface KeyOptions extends CallOptions {
  /** 1 to 250 printable ASCII characters, derived from the operation and not from the attempt: `tidy/2026-11-22`. */
  readonly key: string;
}

/** Changes in a list, or as they come. */
export type Changes<C> = Iterable<C> | AsyncIterable<C>;

/** Where a bulk update is sent, under which name its changes are, and how many go into one request. */
interface Bulk<C> extends Limits<C> {
  readonly path: string;
  readonly list: string;
}

/** What became of a change, and whether an earlier request with the same key made it. */
type Replayable<R> = R & { readonly replayed: boolean };

/** Sends changes in requests with the keys `key/0`, `key/1` and further, and yields what became of each, in their order. */
export async function* bulkUpdate<C, R extends object>(
  send: Send,
  { path, list, ...limits }: Bulk<C>,
  changes: Changes<C>,
  { key, ...options }: KeyOptions,
): AsyncGenerator<Replayable<R>, void> {
  let part = 0;
  for await (const chunk of inChunks(changes, limits)) {
    const headers = { ...options.headers, 'Idempotency-Key': `${key}/${String(part)}` };
    part += 1;
    const answer = await send<{ results: R[] }>({ ...options, method: 'POST', path, headers, body: { [list]: chunk } });
    const replayed = answer.headers.get('Idempotent-Replay') === 'true';
    for (const result of answer.body.results) yield { ...result, replayed };
  }
}
