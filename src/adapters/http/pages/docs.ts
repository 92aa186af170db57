import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router, type Request, type RequestHandler, type Response } from 'express';

import { otherMethods } from '../serving/reply/methods.ts';
import type { ErrorShape } from '../route-declaration.ts';
import { SCRIPT, STYLE } from './site/assets.ts';
import { DOCS, openSite, type Page, type Site } from './site/site.ts';

/**
 * The page and its script are ours, so that no inline script is needed; everything else comes from
 * the package.
 */
const reference = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference - Tenon</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <nav class="swagger-ui"><p class="wrapper"><a href="/docs">Documentation</a></p></nav>
    <div id="swagger-ui"></div>
    <noscript>This page needs JavaScript. The document itself: <a href="/openapi.json">/openapi.json</a></noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

// Without validatorUrl the page would send the document's address to a public validator.
const start = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
});
`;

const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
const documents = ['openapi.json', 'openapi-admin.json'] as const;

/** What the pages load or lead to, beside other pages. */
export const STATIC_FILES = ['site.css', 'site.js', 'search.json', 'start.js', ...assets, ...documents].map(
  (name) => `/docs/${name}`,
);

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Swagger UI's style sheet holds its icons as data URLs.
  "img-src 'self' data:",
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
  // Not by the package's own helper: with it comes the whole page's script, 42 MB of memory.
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui.css'));
  const others = otherMethods(['GET'], errors);
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
  serve('/docs/reference', (_req, res) => {
    guard(res).type('html').send(reference);
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
  serve('/docs/start.js', (_req, res) => {
    guard(res).type('js').send(start);
  });
  const serveFile = (
    name: string,
    options: { readonly root: string; readonly headers?: Readonly<Record<string, string>> },
  ): void => {
    serve(`/docs/${name}`, (_req, res, next) => {
      guard(res).sendFile(name, { maxAge: '1h', ...options }, (error?: Error) => {
        if (error && !res.headersSent) next(error);
      });
    });
  };
  for (const asset of assets) serveFile(asset, { root });
  for (const document of documents) serveFile(document, { root: DOCS });
  router.get('/docs/images/:name', (req, res, next) => {
    guard(res).sendFile(req.params.name, { root: join(DOCS, 'images'), maxAge: '1h' }, (error?: Error) => {
      if (error && !res.headersSent) next();
    });
  });
  // A page, or its source as plain text, which every browser shows.
  const pageOf = ({ path }: Request): Page | undefined => site().pages.get(path.slice('/docs/'.length).replace(/\.md$/, ''));
  router
    .route('/docs/*path')
    .get((req, res, next) => {
      const page = pageOf(req);
      if (page === undefined) next();
      else if (req.path.endsWith('.md')) guard(res).type('text/plain; charset=utf-8').send(page.source);
      else guard(res).type('html').send(site().html(page));
    })
    .all((req, res, next) => {
      if (pageOf(req)) others(req, res, next);
      else next();
    });
  return router;
};
