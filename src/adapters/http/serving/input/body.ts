import type { IncomingMessage } from 'node:http';
import { parse } from 'content-type';

import { ok, refuse, type Ok, type Refusal, type Result } from '../../../../domain/result.ts';
import type { Route } from '../../route-declaration.ts';
import type { RequestContext } from '../context.ts';
import { allowAnyTime } from '../listener/unreadable.ts';
import { ClientGone } from '../reply/thrown.ts';

/**
 * The media type of a Content-Type header without its parameters, in lower case; '' when there is
 * none.
 */
export const mediaType = (header: string | undefined): string => parse(header ?? '', { parameters: false }).type;

export const charsetParameter = (header: string | undefined): string | undefined => parse(header ?? '').parameters['charset'];

export const JSON_ONLY = ['application/json'];
const NO_BYTES: Ok<Buffer> = ok(Buffer.alloc(0));

export const checkContentType = (
  { headers }: IncomingMessage,
  accepted: readonly string[],
): Refusal<'unsupported_media_type'> | null => {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return refuse('unsupported_media_type', 'The body must not be compressed.');
  }
  if (accepted.includes(mediaType(headers['content-type']))) return null;
  return refuse('unsupported_media_type', `Content-Type must be ${accepted.join(' or ')}.`);
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads the whole body, as the bytes that were sent, also of a client that has left since. Stops
 * reading over `maxBytes`. raw-body, which Express brings along, would be one more direct dependency,
 * whose errors differ in their texts only.
 */
export const readBytes = (request: IncomingMessage, maxBytes: number): Promise<Result<Buffer, 'payload_too_large'>> => {
  const tooLarge = (): Refusal<'payload_too_large'> => refuse('payload_too_large', `The body must not exceed ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) {
        done();
        request.pause();
        resolve(tooLarge());
        return;
      }
      chunks.push(chunk);
    };
    const onEnd = (): void => {
      done();
      resolve(ok(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
    };
    const onGone = (): void => {
      done();
      if (!request.complete) {
        reject(new ClientGone('the client closed the connection before its body had arrived'));
        return;
      }
      // All of it has arrived. What is not read yet waits in the stream, which tells nothing any more.
      for (let rest = request.read() as Buffer | null; rest !== null; rest = request.read() as Buffer | null) onData(rest);
      onEnd();
    };
    const done = (): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    };
    // The client left while the request was admitted: no event comes.
    if (request.destroyed) onGone();
    else request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
};

/** A form is judged by its own reader, type included. */
const acceptedBy = ({ streams, body }: Route): readonly string[] => {
  if (streams.length > 0) return streams;
  return body === null ? [] : JSON_ONLY;
};

type BodyResult = Result<Buffer, 'payload_too_large' | 'unsupported_media_type'>;

/** A form with two credentials is far smaller. */
const MAX_FORM_BYTES = 16_384;

const maxBytesOf = ({ route, backend }: RequestContext): number => {
  if (route.form !== null) return MAX_FORM_BYTES;
  return route.bulk !== null ? backend.maxBodyBytes.bulk : backend.maxBodyBytes.other;
};

/**
 * Reads the body that the route takes: all of it, or nothing where the handler reads a stream or
 * takes no body.
 */
export const readBody = (context: RequestContext): BodyResult | Promise<BodyResult> => {
  const { route, request } = context;
  const accepted = acceptedBy(route);
  if (accepted.length === 0) return NO_BYTES;
  const streams = route.streams.length > 0;
  const refusal = streams || (route.form === null && hasBody(request)) ? checkContentType(request, accepted) : null;
  if (refusal) return refusal;
  if (!streams) return readBytes(request, maxBytesOf(context));
  allowAnyTime(request);
  return NO_BYTES;
};
