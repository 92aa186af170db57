import { join } from 'node:path';
import { Router, type Request, type RequestHandler, type Response } from 'express';

import { otherMethods } from '../serving/reply/methods.ts';
import { pageOr, type ErrorShape } from '../route-declaration.ts';
import { SCRIPT, STYLE } from './site/assets.ts';
import { DOCS, openSite, type SitePage, type Site } from './site/site.ts';

const documents = ['openapi.json', 'openapi-admin.json'] as const;

/** Files that the pages load or lead to, beside other pages. */
export const STATIC_FILES = ['site.css', 'site.js', 'search.json', ...documents].map((name) => `/docs/${name}`);

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const guard = (res: Response): Response =>
  res.set({ 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });

/** `isHome`: the first address of the listener leads here. */
export const docsRouter = (errors: ErrorShape, { isHome = false } = {}): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  const others = otherMethods(['GET'], pageOr(errors));
  const serve = (path: string, handler: RequestHandler): void => {
    router.route(path).get(handler).all(others);
  };
  // Read and rendered at the first request for a page.
  let opened: Site | undefined;
  const site = (): Site => (opened ??= openSite());
  serve('/docs', (_req, res) => {
    guard(res).type('html').send(site().home());
  });
  if (isHome) {
    serve('/', (_req, res) => {
      guard(res).redirect('/docs');
    });
  }
  serve('/docs/', (_req, res) => {
    guard(res).redirect(308, '/docs');
  });
  serve('/docs/site.css', (_req, res) => {
    guard(res).type('css').send(STYLE);
  });
  serve('/docs/site.js', (_req, res) => {
    guard(res).type('js').send(SCRIPT);
  });
  serve('/docs/search.json', (_req, res) => {
    guard(res).type('json').send(site().search());
  });
  serve('/llms.txt', (_req, res) => {
    guard(res).type('txt').send(site().llms());
  });
  for (const name of documents) {
    serve(`/docs/${name}`, (_req, res, next) => {
      guard(res).sendFile(name, { maxAge: '1h', root: DOCS }, (error?: Error) => {
        if (error && !res.headersSent) next(error);
      });
    });
  }
  router.get('/docs/images/:name', (req, res, next) => {
    guard(res).sendFile(req.params.name, { root: join(DOCS, 'images'), maxAge: '1h' }, (error?: Error) => {
      if (error && !res.headersSent) next();
    });
  });
  // A page, or its source as plain text, which every browser shows.
  const pageAt = ({ path }: Request): SitePage | undefined => site().pages.get(path.slice('/docs/'.length).replace(/\.md$/, ''));
  router
    .route('/docs/*path')
    .get((req, res, next) => {
      const page = pageAt(req);
      if (page === undefined) next();
      else if (req.path.endsWith('.md')) guard(res).type('text/plain; charset=utf-8').send(page.source);
      else guard(res).type('html').send(site().html(page));
    })
    .all((req, res, next) => {
      if (pageAt(req)) others(req, res, next);
      else next();
    });
  return router;
};
