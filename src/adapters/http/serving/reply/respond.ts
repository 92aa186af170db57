import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline as connect, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Request, Response } from 'express';

import type { ByteRange } from '../../../../domain/ports/media/media-storage.ts';
import type { JsonDocument } from '../../../../domain/reading.ts';
import { AccessEnded } from '../../renewal.ts';
import { FileBody, Raw, Redirect, Tagged, type StreamOptions, type Success } from '../../answer.ts';
import type { Outcome } from '../../handler.ts';
import { JudgedParts } from '../../judged-parts.ts';
import type { Route } from '../../route-declaration.ts';
import { isWithheld } from './continue.ts';
import { matches, tagAdvice } from './entity-tags.ts';
import { errorReply, NO_BODY, type Exchange, type Reply } from './error-reply.ts';
import { NO_FILE, orAt } from './refusals.ts';

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
const endBeforeBody = async (request: IncomingMessage, response: ServerResponse, body: Uint8Array): Promise<void> => {
  response.setHeader('Connection', 'close').setHeader('Content-Length', body.length);
  response.flushHeaders();
  if (body.length > 0) response.write(body);
  if (!isWithheld(request)) await drain(request);
  response.end();
};

/** Such a receiver holds a descriptor, or one of the connections to the bucket. */
const STALL_SECONDS = 30;

const oneRange = /^bytes=(?:(?<first>\d+)-(?<last>\d*)|-(?<suffix>\d+))$/;

/**
 * The requested range, cut to the file. `whole` where no single readable range is requested, or
 * where If-Range names another version of the file (RFC 9110, 13.1.5 and 14.1.2). Express's
 * `req.range` answers a range that cannot be read, such as `bytes=9-5`, with 416.
 */
const rangeOf = ({ headers }: Request, etag: string, size: number): ByteRange | 'whole' | 'unsatisfiable' => {
  const condition = headers['if-range'];
  const requested = oneRange.exec(headers.range ?? '')?.groups;
  if (requested === undefined || (condition !== undefined && condition !== etag)) return 'whole';
  const { first, last, suffix } = requested;
  const start = first === undefined ? Math.max(size - Number(suffix), 0) : Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return 'whole';
  return start < size ? { start, end } : 'unsatisfiable';
};

const bytesOf = async (exchange: Exchange, { storage, key, etag, headers }: FileBody, range?: ByteRange): Promise<Reply> => {
  const stored = await storage.read(key, range);
  if (stored === null) return errorReply(exchange, NO_FILE);
  const { bytes, sizeBytes } = stored;
  const described = { ...headers, ETag: etag };
  if (!range) return { status: 200, headers: { ...described, 'Content-Length': String(sizeBytes) }, body: bytes };
  const { start, end } = range;
  const ranged = { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}`, 'Content-Length': String(end - start + 1) };
  return { status: 206, headers: { ...described, ...ranged }, body: bytes };
};

/** Replies that need the size before the bytes, or no bytes at all. */
const byCondition = async (exchange: Exchange, file: FileBody): Promise<Reply> => {
  const { request } = exchange;
  const size = await file.storage.size(file.key);
  if (size === null) return errorReply(exchange, NO_FILE);
  const headers = { ...file.headers, ETag: file.etag };
  if (matches(request.headers['if-none-match'], file.etag)) return { status: 304, headers, body: NO_BODY };
  if (request.method === 'HEAD') return { status: 200, headers: { ...headers, 'Content-Length': String(size) }, body: NO_BODY };
  const range = rangeOf(request, file.etag, size);
  if (range === 'unsatisfiable') return { status: 416, headers: { 'Content-Range': `bytes */${size}` }, body: NO_BODY };
  return bytesOf(exchange, file, range === 'whole' ? undefined : range);
};

const fileReply = (exchange: Exchange, file: FileBody): Promise<Reply> => {
  const { request, response, backend } = exchange;
  response.setTimeout((backend.stallSeconds ?? STALL_SECONDS) * 1_000);
  const conditions = request.headers.range ?? request.headers['if-none-match'];
  return request.method === 'GET' && conditions === undefined ? bytesOf(exchange, file) : byCondition(exchange, file);
};

const JSON_TYPE = 'application/json; charset=utf-8';

type Source = Exclude<Raw['body'], string | Uint8Array>;

/** The stream fails with the error of its source, and closes the source when it is closed. */
const zipped = (source: Source): Readable => connect(Readable.from(source), createGzip(), () => undefined);

const encodeStream = ({ request }: Exchange, source: Source, { headers, isCompressible = false }: StreamOptions) => {
  if (!isCompressible) return { headers, body: source };
  const varying = { ...headers, Vary: 'Accept-Encoding' };
  if (request.acceptsEncodings('gzip') !== 'gzip') return { headers: varying, body: source };
  return { headers: { ...varying, 'Content-Encoding': 'gzip' }, body: zipped(source) };
};

const encodeRaw = (exchange: Exchange, { body, contentType, streamed }: Raw): Reply => {
  const { route, response } = exchange;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    if (route.idempotent) throw new Error('an idempotent route cannot answer with a stream: its response could not be kept');
    if (streamed.stallSeconds !== undefined) response.setTimeout(streamed.stallSeconds * 1_000);
    const encoded = encodeStream(exchange, body, streamed);
    const headers = { ...encoded.headers, 'Content-Type': contentType };
    return { status: route.status, headers, body: encoded.body, ...(body instanceof JudgedParts && { judged: body }) };
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { status: route.status, headers: { 'Content-Type': contentType }, body: bytes };
};

/** The reader gave no bytes to a request that has them (RequestContext.reading). */
const encodeTagged = ({ tag, bytes }: JsonDocument, { status, etag }: Route): Reply => {
  const tagged = etag ? { ETag: `"${tag}"` } : {};
  if (bytes === null) return { status: 304, headers: tagged, body: NO_BODY };
  return { status, headers: { ...tagged, 'Content-Type': JSON_TYPE }, body: bytes };
};

const encodeValue = ({ route, request }: Exchange, { value, etag, status = route.status }: Success<unknown>): Reply => {
  const tag = etag === undefined ? null : `"${etag}"`;
  const tagged = tag === null ? {} : { ETag: tag };
  if (tag !== null && route.method === 'get' && matches(request.headers['if-none-match'], tag))
    return { status: 304, headers: tagged, body: NO_BODY };
  return { status, headers: { ...tagged, 'Content-Type': JSON_TYPE }, body: Buffer.from(JSON.stringify(value)) };
};

export const encode = (exchange: Exchange, outcome: Outcome): Reply | Promise<Reply> => {
  const { route, notes, request } = exchange;
  if (!outcome.ok) {
    if (outcome.code === 'precondition_failed')
      return errorReply(exchange, { ...outcome, message: tagAdvice(request.headers) ?? outcome.message });
    if (outcome.code !== 'unauthenticated') return errorReply(exchange, outcome);
    // An app was admitted, so it was uninstalled since then.
    if (route.access.kind === 'app') notes.reason ??= 'uninstalled_meanwhile';
    return errorReply(exchange, orAt('token', outcome));
  }
  if (outcome.value instanceof Tagged) return encodeTagged(outcome.value.document, route);
  if (outcome.value instanceof FileBody) return fileReply(exchange, outcome.value);
  if (outcome.value instanceof Raw) return encodeRaw(exchange, outcome.value);
  if (outcome.value instanceof Redirect)
    return {
      status: route.status,
      headers: { Location: outcome.value.location, 'Referrer-Policy': 'no-referrer' },
      body: NO_BODY,
    };
  if (route.response === null) return { status: route.status, headers: {}, body: NO_BODY };
  return encodeValue(exchange, outcome);
};

/** HEAD gets no body, so nothing of the source is read. */
const leaveUnread = (body: AsyncIterable<string | Uint8Array>, response: Response): void => {
  if (body instanceof Readable) body.destroy();
  response.end();
};

/** Without the end of the response, its receiver sees that it is not complete. What was written before is sent. */
const cut = async (response: Response): Promise<never> => {
  await new Promise<void>((resolve) => {
    response.write('', () => resolve());
  });
  throw new AccessEnded();
};

/**
 * A receiver who leaves is not an error, nor is a source that is closed before its end. A source
 * that fails is. All three cut the response.
 */
const writeStream = async (
  body: AsyncIterable<string | Uint8Array>,
  response: Response,
  judged: Reply['judged'],
): Promise<void> => {
  const source = body instanceof Readable ? body : Readable.from(body);
  let left = response.closed;
  response.once('close', () => {
    left = source.errored === null;
  });
  try {
    await pipeline(source, response, { end: judged === undefined });
  } catch (error) {
    if (!left && source.errored !== null) throw error;
    return;
  } finally {
    // From Node.js 24 on, a pipeline into a response that has closed already leaves its source open.
    source.destroy();
  }
  if (judged?.isCut === true) await cut(response);
  response.end();
};

/** Writes a reply. Resolves at once but for a stream, whose failure it throws. */
export const write = async (
  request: Request,
  response: Response,
  { status, headers, body, unread, judged }: Reply,
): Promise<void> => {
  response.status(status);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (unread) await endBeforeBody(request, response, body as Uint8Array);
  else if (body instanceof Uint8Array) {
    // 204 and 304 have no Content-Length (RFC 9110, 8.6).
    if (status !== 204 && status !== 304) response.setHeader('Content-Length', headers['Content-Length'] ?? body.length);
    response.end(body);
  } else if (request.method === 'HEAD') leaveUnread(body, response);
  else await writeStream(body, response, judged);
};

/**
 * Sends a reply. Resolves at once but for a stream, whose failure it throws. A body that a handler
 * reads as a stream may not have been read to its end.
 */
export const send = ({ request, response, route }: Exchange, reply: Reply): Promise<void> =>
  write(request, response, route.streams.length > 0 && !request.readableEnded ? { ...reply, unread: true } : reply);
