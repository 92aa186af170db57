import type { Request } from 'express';

import type { ByteRange } from '../../../../domain/ports/media/media-storage.ts';
import type { FileBody } from '../../answer.ts';
import { errorReply, NO_BODY, type Exchange, type Reply } from './error-reply.ts';
import { matches } from './entity-tags.ts';
import { NO_FILE } from './refusals.ts';

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

export const fileReply = (exchange: Exchange, file: FileBody): Promise<Reply> => {
  const { request, response, backend } = exchange;
  response.setTimeout((backend.stallSeconds ?? STALL_SECONDS) * 1_000);
  const conditions = request.headers.range ?? request.headers['if-none-match'];
  return request.method === 'GET' && conditions === undefined ? bytesOf(exchange, file) : byCondition(exchange, file);
};
