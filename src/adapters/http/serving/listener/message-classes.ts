import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';

/**
 * The classes of a server's requests and responses, for `createServer`. They have what the app adds
 * from the beginning. Otherwise Express replaces the prototype of each request and response, and V8
 * is slow with an object from then on: a third of the time of a request in this process.
 */
export const messageClasses = (app: Express) => {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Request;
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};
