import { EventSourceParserStream } from 'eventsource-parser/stream';

import { plural } from '../../../domain/values/plural.ts';
import type { LiveFrame } from '../../http/answers.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { pause } from '../../startup/deadline.ts';
import { ApiFailure, type AdminApi } from './admin-api.ts';

/** A server that restarts, or a proxy before it: neither is the end of what reads on. */
export const isPassing = (error: unknown): boolean => {
  if (error instanceof ApiFailure) return error.httpStatus === 429 || error.httpStatus >= 500;
  return !(error instanceof CommandFailure) || error.status === EXIT.unreachable;
};

const RECONNECT_MS = 1_000;

interface LiveOptions {
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

export const openLive = (api: AdminApi, storeId: string, signal: AbortSignal): Promise<Response> =>
  api.send(`/stores/${storeId}/live`, { signal });

export async function* framesOf({ body }: Response): AsyncGenerator<LiveFrame> {
  if (body === null) return;
  for await (const { data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
    yield JSON.parse(data) as LiveFrame;
  }
}

/**
 * Yields the events of a store from now on, until the signal. When the server goes away, it says so
 * and connects again: events in between are not shown, since the stream has no memory. The stream
 * ends if the server was never reached, since its address may be wrong.
 */
export async function* watchLive(api: AdminApi, storeId: string, { signal, say }: LiveOptions): AsyncGenerator<LiveFrame> {
  let state: 'new' | 'open' | 'lost' = 'new';
  const isEnded = (): boolean => signal.aborted;
  while (!isEnded()) {
    try {
      const stream = await openLive(api, storeId, signal);
      if (state === 'lost') say('Connected to the server again.');
      state = 'open';
      for await (const frame of framesOf(stream)) {
        if (frame.kind === 'dropped')
          say(`${plural(frame.count, 'item was', 'items were')} skipped: more arrived than could be shown.`);
        else yield frame;
      }
    } catch (error) {
      if (isEnded()) return;
      if (state === 'new' || !isPassing(error)) throw error;
    }
    if (isEnded()) return;
    if (state === 'open') say('The server closed the stream. Reconnecting.');
    state = 'lost';
    await pause(RECONNECT_MS, { signal });
  }
}
