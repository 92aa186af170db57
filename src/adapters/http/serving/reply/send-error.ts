import type { Request, Response } from 'express';

import type { ErrorShape } from '../../route-declaration.ts';
import { plainErrorReply } from './error-reply.ts';
import type { RouteError } from './refusals.ts';
import { write } from './respond.ts';

export const sendError = (request: Request, response: Response, shape: ErrorShape, error: RouteError): void => {
  void write(request, response, plainErrorReply(shape, error, request, response));
};
