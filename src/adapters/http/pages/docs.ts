import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler, type Response } from 'express';

import { otherMethods } from '../serving/reply/methods.ts';
import type { ErrorShape } from '../route-declaration.ts';

const guides = { 'getting-started.md': 'Getting started', 'api-guide.md': 'API guide', 'webhooks.md': 'Webhooks' };

const guideLinks = Object.entries(guides)
  .map(([file, title]) => `<a href="/docs/${file}">${title}</a>`)
  .join(' · ');

/**
 * The page and its script are ours, so that no inline script is needed; everything else comes from
 * the package.
 */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <nav class="swagger-ui"><p class="wrapper">Guides for app developers: ${guideLinks}</p></nav>
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

/** As far from `dist` as from `src`. */
const GUIDES = fileURLToPath(new URL('../../../../docs', import.meta.url));

const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

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

export const docsRouter = (errors: ErrorShape): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  // Not by the package's own helper: with it comes the whole page's script, 42 MB of memory.
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui.css'));
  const others = otherMethods(['GET'], errors);
  const serve = (path: string, handler: RequestHandler): void => {
    router.route(path).get(handler).all(others);
  };
  serve('/docs', (_req, res) => {
    guard(res).type('html').send(page);
  });
  serve('/docs/', (_req, res) => {
    guard(res).redirect(308, '/docs');
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
  // As plain text, which every browser shows.
  for (const guide of Object.keys(guides))
    serveFile(guide, { root: GUIDES, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  return router;
};
