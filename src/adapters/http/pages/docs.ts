import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler, type Response } from 'express';

import { pageOr, type ErrorShape } from '../route-declaration.ts';
import { otherMethods } from '../serving/reply/methods.ts';

/** Output of `npm run build`, beside the compiled server. A clone renders the pages at the first request for one. */
const PREBUILT = fileURLToPath(new URL('../../../site', import.meta.url));
const SOURCE = new URL('../../../../site/site.ts', import.meta.url);
/** The path is valid from `dist` and from `src`. */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Files of `docs` that are served as they are. */
const AS_IT_IS = /^\/docs\/(?:openapi|openapi-admin)\.json$|^\/docs\/images\/[\w-]+\.\w+$/;

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

/** The text of each page and of what the pages load, by its path. */
type SiteFiles = ReadonlyMap<string, string>;

const openSiteFiles = async (): Promise<SiteFiles> => {
  if (!existsSync(PREBUILT)) return ((await import(SOURCE.href)) as { siteFiles: () => SiteFiles }).siteFiles();
  const names = (await readdir(PREBUILT, { recursive: true })).filter((name) => extname(name) !== '');
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(PREBUILT, name), 'utf8')] as const)));
};

/** `isHome`: the first address of the listener leads here. */
export const docsRouter = (errors: ErrorShape, { isHome = false } = {}): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  const others = otherMethods(['GET'], pageOr(errors));
  const serve = (path: string, handler: RequestHandler): void => {
    router.route(path).get(handler).all(others);
  };
  let opened: Promise<SiteFiles> | undefined;
  /** The file at this address. A page is the index of the folder of its name. */
  const fileAt = async (address: string): Promise<{ readonly type: string; readonly text: string } | null> => {
    opened ??= openSiteFiles();
    const files = await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const type = extname(address) || '.html';
    const text = files.get(type === '.html' ? `${address}/index.html`.slice(1) : address.slice(1));
    // Every browser shows plain text.
    return text === undefined ? null : { type: type === '.md' ? '.txt' : type, text };
  };
  if (isHome) {
    serve('/', (_req, res) => {
      guard(res).redirect('/docs');
    });
  }
  serve('/docs/', (_req, res) => {
    guard(res).redirect(308, '/docs');
  });
  router
    .route(['/docs', '/docs/*path', '/llms.txt'])
    .get(async (req, res, next) => {
      const file = await fileAt(req.path);
      if (file) guard(res).type(file.type).send(file.text);
      else if (!AS_IT_IS.test(req.path)) next('route');
      else {
        guard(res).sendFile(req.path, { root: ROOT, maxAge: '1h' }, () => {
          if (!res.headersSent) next('route');
        });
      }
    })
    .all(async (req, res, next) => {
      if (AS_IT_IS.test(req.path) || (await fileAt(req.path))) others(req, res, next);
      else next();
    });
  return router;
};
