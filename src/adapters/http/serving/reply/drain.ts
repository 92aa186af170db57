import type { IncomingMessage, ServerResponse } from 'node:http';

import { isWithheld } from './continue.ts';

/** Bytes and milliseconds at most of a refused body that are still read. */
const DRAIN_BYTES = 33_554_432;
const DRAIN_MS = 5_000;

/**
 * Reads the rest of a refused body and discards it, within limits. A connection that is closed with
 * unread bytes is reset, and an ordinary client, which writes before it reads, would lose the
 * answer.
 */
const drain = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > DRAIN_BYTES) done();
    };
    const done = (): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', done).off('close', done);
      resolve();
    };
    const timer = setTimeout(done, DRAIN_MS);
    if (request.readableEnded || request.destroyed) done();
    else request.on('data', onData).on('end', done).on('close', done).resume();
  });

/**
 * Answers while the body still arrives, for a status and headers already set. The client has the
 * whole answer at once. The connection closes after the rest of the body or at the limits of
 * `drain`.
 */
export const endBeforeBody = async (request: IncomingMessage, response: ServerResponse, body: Uint8Array): Promise<void> => {
  response.setHeader('Connection', 'close').setHeader('Content-Length', body.length);
  response.flushHeaders();
  if (body.length > 0) response.write(body);
  if (!isWithheld(request)) await drain(request);
  response.end();
};
