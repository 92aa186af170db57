import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';

import type { RequestContext } from './context.ts';
import { endBeforeBody } from './drain.ts';
import { plainErrorReply } from './encode.ts';
import type { Reply } from './encode.ts';
import type { RouteError } from './refusals.ts';
import type { ErrorShape } from '../route.ts';

const write = async (request: Request, response: Response, { status, headers, body, unread }: Reply): Promise<void> => {
  response.status(status);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (unread) await endBeforeBody(request, response, body as Uint8Array);
  else if (!(body instanceof Uint8Array)) await pipeline(Readable.from(body), response);
  else {
    // 204 and 304 have no Content-Length (RFC 9110, 8.6).
    if (body.length > 0 || ![204, 304].includes(status)) response.setHeader('Content-Length', body.length);
    response.end(body);
  }
};

/** Sends a reply. Resolves at once but for a stream, whose failure it throws. */
export const send = ({ request, response }: RequestContext, reply: Reply): Promise<void> => write(request, response, reply);

/** Answers an error where no route was found. */
export const sendError = (request: Request, response: Response, shape: ErrorShape, error: RouteError): void => {
  void write(request, response, plainErrorReply(shape, error, request.path));
};
