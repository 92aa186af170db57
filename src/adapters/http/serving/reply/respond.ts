import { pipeline } from 'node:stream/promises';
import { pipeline as connect, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Request, Response } from 'express';

import { FileBody, Raw, Redirect, Tagged, type StreamOptions, type Success } from '../../answer.ts';
import { AccessEnded } from '../../access-ended.ts';
import { JudgedParts } from '../../judged-parts.ts';
import type { JsonDocument } from '../../../../domain/reading.ts';
import type { Outcome } from '../../handler.ts';
import type { Route } from '../../route-declaration.ts';
import { endBeforeBody } from './drain.ts';
import { matches } from './entity-tags.ts';
import { errorReply, NO_BODY, type Exchange, type Reply } from './error-reply.ts';
import { fileReply } from './file-reply.ts';
import { orAt } from './refusals.ts';

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
  const { route, notes } = exchange;
  if (!outcome.ok) {
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
