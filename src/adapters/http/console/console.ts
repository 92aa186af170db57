import { type Response, Router, type RequestHandler } from 'express';

import { pageOr, type Route } from '../route-declaration.ts';
import type { Backend } from '../serving/context.ts';
import { sendError } from '../serving/reply/send-error.ts';
import { mount } from '../serving/serve.ts';
import type { SessionCookie } from './cookie.ts';
import { guardRefusal, type GuardOptions } from './guard.ts';
import { consolePages, type PagesOptions } from './pages.ts';
import { sessionRouter, type Desk } from './session.ts';

/** Limits a page of the console to its own resources. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const setPolicy = (response: Response): void => void response.set(HEADERS);

interface ConsoleOptions extends PagesOptions {
  readonly guard: GuardOptions;
  readonly cookie: SessionCookie;
  readonly desk: Desk;
  readonly api: {
    readonly routes: readonly Route[];
    readonly backend: Backend;
    /** The path and query of a route from what follows `<base>/api`. */
    readonly pathOf: (rest: string) => string;
  };
}

/**
 * Serves one console: everything below its base. The pages are for anyone. The session and the API
 * are only for the console's own pages, and nothing of them is kept by a browser.
 */
export const createConsole = (options: ConsoleOptions): RequestHandler => {
  const { base, guard, cookie, desk, api } = options;
  const pages = consolePages(options);
  const session = sessionRouter(`${base}/session`, cookie, desk);
  const routes = Router({ caseSensitive: true, strict: true });
  mount(routes, api.routes, api.backend);
  const isBelow = (path: string, of: string): boolean => path === of || path.startsWith(`${of}/`);

  return (request, response, next) => {
    const { path } = request;
    if (!isBelow(path, base)) {
      next();
      return;
    }
    setPolicy(response);
    const isApi = isBelow(path, `${base}/api`);
    if (!isApi && !isBelow(path, `${base}/session`)) {
      pages(request, response, next);
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    const refusal = guardRefusal(request, guard);
    if (refusal) {
      response.locals.notes.reason = refusal.reason;
      sendError(request, response, pageOr('problem'), refusal);
      return;
    }
    if (isApi) {
      request.url = api.pathOf(request.url.slice(`${base}/api`.length));
      routes(request, response, next);
    } else session(request, response, next);
  };
};
