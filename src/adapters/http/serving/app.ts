import express, { type Express, type Request, type RequestHandler } from 'express';

import { docsRouter } from '../pages/docs.ts';
import type { Backend } from './context.ts';
import { oneHost } from './listener/host.ts';
import { mount } from './serve.ts';
import { otherMethods } from './reply/methods.ts';
import { observe, type Observers } from './listener/observe.ts';
import { UNKNOWN_PATH } from './reply/refusals.ts';
import { sendError } from './reply/send-error.ts';
import { answerThrown } from './reply/thrown.ts';
import { CONSOLE_PATHS } from '../console/files/index-page.ts';
import { pageOr, type ErrorShape, type Route } from '../route-declaration.ts';

export interface HttpAppOptions extends Backend, Observers {
  readonly routes: readonly Route[];
  /** The OpenAPI document as JSON. Called at each request for it. */
  readonly openApi: () => string;
  /** Form of errors where no route decides: unknown paths, and failures before a route is found. */
  readonly errors: ErrorShape;
  /** True when `/` leads to the documentation. */
  readonly isDocsHome?: boolean;
  readonly guard?: RequestHandler;
  readonly console?: RequestHandler;
}

/** People open these paths in a browser, beside the routes for visitors. */
const PLACES = ['/docs', ...Object.values(CONSOLE_PATHS)];

const isForPeople = (path: string, routes: readonly Route[]): boolean =>
  path === '/' ||
  PLACES.some((place) => path === place || path.startsWith(`${place}/`)) ||
  routes.some((route) => route.access.kind === 'visitor' && route.path === path);

export const createHttpApp = (options: HttpAppOptions): Express => {
  const { log, routes, errors } = options;
  const http = express();
  http.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  http.set('query parser', 'simple');
  http.use(observe(options), oneHost(errors));
  if (options.guard) http.use(options.guard);
  // The most requested paths come first, and without a router of their own: both cost each request time.
  mount(http, routes, options);
  http
    .route('/openapi.json')
    .get((_req, res) => {
      res.setHeader('Content-Type', 'application/json; charset=utf-8').end(options.openApi());
    })
    .all(otherMethods(['GET'], errors));
  http.use(docsRouter(errors, { isHome: options.isDocsHome ?? false }));
  if (options.console) http.use(options.console);
  // A path that no route could match, such as one with a broken escape, is answered like the routes that begin as it does.
  const problemPaths = routes.filter((route) => route.errors === 'problem').map((route) => route.path.split('/:', 1)[0] ?? '');
  const shapeOf = ({ path }: Request): ErrorShape => {
    if (isForPeople(path, routes)) return pageOr(errors);
    return problemPaths.some((start) => path.startsWith(start)) ? 'problem' : errors;
  };
  http.use((req, res) => {
    sendError(req, res, shapeOf(req), UNKNOWN_PATH);
  });
  http.use(answerThrown(log, shapeOf));
  return http;
};
