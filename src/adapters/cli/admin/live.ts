import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';

import type { LiveFrame } from '../../http/schemas/answers.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import type { AdminApi } from './admin-api.ts';

const RECONNECT_MS = 1_000;

export interface LiveOptions {
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

/** A refusal by the server ends the reading; that it can't be reached, or its end, does not. */
const isFinal = (error: unknown): boolean => error instanceof CommandFailure && error.status !== EXIT.unreachable;

/**
 * What happens in a store from now on, until the signal. When the server goes away, it says so and
 * connects again: what happens in between is not shown, since the stream has no memory.
 */
export async function* watchLive(api: AdminApi, storeId: string, { signal, say }: LiveOptions): AsyncGenerator<LiveFrame> {
  let isFirst = true;
  const isEnded = (): boolean => signal.aborted;
  while (!isEnded()) {
    try {
      for await (const frame of framesOf(await openLive(api, storeId, signal))) {
        if (frame.kind === 'dropped')
          say(`${String(frame.count)} items arrived faster than they could be shown and were skipped.`);
        else yield frame;
      }
    } catch (error) {
      if (isEnded()) return;
      if (isFinal(error) || isFirst) throw error;
    }
    if (isEnded()) return;
    isFirst = false;
    say('The server closed the stream. Reconnecting.');
    await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}
