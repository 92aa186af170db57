import type { RequestHandler } from 'express';

import { consolePages } from './pages.ts';
import type { PagesOptions } from './pages.ts';
import { setPolicy } from './policy.ts';

export type ConsoleOptions = PagesOptions;

/** Serves one console: everything below its base. Any other path is left to what comes after. */
export const createConsole = (options: ConsoleOptions): RequestHandler => {
  const { base } = options;
  const pages = consolePages(options);
  return (request, response, next) => {
    if (request.path !== base && !request.path.startsWith(`${base}/`)) {
      next();
      return;
    }
    setPolicy(response);
    pages(request, response, next);
  };
};
