import { hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';

import type { Response as StoredResponse } from '../../../application/idempotency/run-idempotently.ts';
import type { FieldErrors } from '../../../domain/result.ts';
import { endBeforeBody } from './body.ts';
import { Raw } from '../answer.ts';
import { errorBody, STATUS_OF } from './refusals.ts';
import type { ErrorCode } from './refusals.ts';
import type { ErrorShape, Route } from '../route.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** What is logged of a request beside its route, status and duration. Never a secret. */
export interface RequestNotes {
  requestId: string;
  store?: string;
  installation?: string;
  /** Why it was answered 401 or 403; never told to the caller. */
  reason?: string;
  route?: string;
}

export const sendEmpty = (res: Response, status: number): void => {
  res.status(status).end();
};

/** Answers an error in the shape of its route. */
export const sendError = (
  req: Request,
  res: Response,
  shape: ErrorShape,
  code: ErrorCode,
  message: string,
  errors?: FieldErrors,
): void => {
  const { contentType, body } = errorBody(shape, code, message, req.path, errors);
  if (code === 'unsupported_media_type') res.setHeader('Accept-Encoding', 'identity');
  if (code === 'idempotency_in_progress' || code === 'unavailable') res.setHeader('Retry-After', '1');
  res.status(STATUS_OF[code]).setHeader('Content-Type', contentType);
  if (code === 'payload_too_large') void endBeforeBody(req, res, body);
  else res.end(body);
};

/** Encodes a handler's value as its route declares it. */
export const encode = (route: Route, value: unknown): StoredResponse => {
  if (route.response === null) return { status: route.status, headers: {}, body: Buffer.alloc(0) };
  if (value instanceof Raw && (typeof value.body === 'string' || value.body instanceof Uint8Array)) {
    const body = typeof value.body === 'string' ? Buffer.from(value.body) : value.body;
    return { status: route.status, headers: { 'Content-Type': value.contentType }, body };
  }
  return { status: route.status, headers: { 'Content-Type': JSON_TYPE }, body: Buffer.from(JSON.stringify(value)) };
};

export const sendStored = (res: Response, { status, headers, body }: StoredResponse): void => {
  res.status(status).setHeaders(new Map(Object.entries(headers)));
  res.setHeader('Content-Length', body.length);
  res.end(body);
};

/** Whether an If-None-Match has the tag. */
export const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false;

/** Sends what a handler gave: a value, ready bytes with or without an ETag, or a stream. */
export const sendValue = async (route: Route, req: Request, res: Response, value: unknown): Promise<void> => {
  if (!(value instanceof Raw)) {
    sendStored(res, encode(route, value));
    return;
  }
  if (typeof value.body !== 'string' && !(value.body instanceof Uint8Array)) {
    res.status(route.status).setHeader('Content-Type', value.contentType);
    await pipeline(Readable.from(value.body), res);
    return;
  }
  const encoded = encode(route, value);
  if (route.etag) {
    const etag = `"${hash('sha1', encoded.body, 'base64url')}"`;
    res.setHeader('ETag', etag);
    if (matches(req.headers['if-none-match'], etag)) {
      sendEmpty(res, 304);
      return;
    }
  }
  sendStored(res, encoded);
};
