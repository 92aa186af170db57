import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'content-type';

import type { RefusalCode } from '../../../domain/result.ts';
import { isWithheld } from './continue.ts';

/** A body that cannot be taken, as a value: it is a matter of the request, not a fault of ours. */
export interface BodyRefusal {
  readonly code: Extract<RefusalCode, 'payload_too_large' | 'unsupported_media_type' | 'invalid'>;
  readonly message: string;
}

/** The media type of a Content-Type header without its parameters, in lower case; '' when there is none. */
export const mediaType = (header: string | undefined): string => parse(header ?? '', { parameters: false }).type;

/** The charset parameter of a Content-Type header, as it was sent. */
export const charsetParameter = (header: string | undefined): string | undefined => parse(header ?? '').parameters['charset'];

/** Refuses a compressed body and one of another media type than these. */
export const checkContentType = (req: IncomingMessage, accepted: readonly string[]): BodyRefusal | null => {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return { code: 'unsupported_media_type', message: 'the body must not be compressed' };
  }
  const type = mediaType(req.headers['content-type']);
  if (accepted.includes(type)) return null;
  return { code: 'unsupported_media_type', message: `Content-Type must be ${accepted.join(' or ')}` };
};

/** The client went away before its body had arrived: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Reads the body whole, as the bytes that came over the wire; over `maxBytes` it stops reading. */
export const readBody = (req: IncomingMessage, maxBytes: number): Promise<Buffer | BodyRefusal> => {
  const tooLarge: BodyRefusal = { code: 'payload_too_large', message: `the body must not exceed ${String(maxBytes)} bytes` };
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(tooLarge);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) {
        done();
        req.pause();
        resolve(tooLarge);
        return;
      }
      chunks.push(chunk);
    };
    const onEnd = (): void => {
      done();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onGone = (): void => {
      done();
      reject(new ClientGone('the client went away before its body had arrived'));
    };
    const done = (): void => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    };
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
};

/** Bytes and milliseconds at most of a refused body that are read on. */
const DRAIN_BYTES = 33_554_432;
const DRAIN_MS = 5_000;

/**
 * Reads the rest of a refused body and throws it away, within bounds. Closing a connection on bytes that nobody read resets it, and an
 * ordinary client, which writes first and reads then, would lose the answer.
 */
const drain = (req: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > DRAIN_BYTES) done();
    };
    const done = (): void => {
      clearTimeout(timer);
      req.off('data', onData).off('end', done).off('close', done);
      resolve();
    };
    const timer = setTimeout(done, DRAIN_MS);
    if (req.readableEnded || req.destroyed) done();
    else req.on('data', onData).on('end', done).on('close', done).resume();
  });

/**
 * Answers while the body still comes, for a status and headers already set: the client has the whole answer at once, and the
 * connection closes after the rest of its body or the bounds of `drain`.
 */
export const endBeforeBody = async (req: IncomingMessage, res: ServerResponse, body: string): Promise<void> => {
  res.setHeader('Connection', 'close').setHeader('Content-Length', Buffer.byteLength(body));
  res.flushHeaders();
  if (body !== '') res.write(body);
  if (!isWithheld(req)) await drain(req);
  res.end();
};
