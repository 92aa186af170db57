import { Router, type Request, type Response } from 'express';

import { pageOr, type ErrorShape } from '../route-declaration.ts';
import { otherMethods } from '../serving/reply/methods.ts';
import { NO_FILE } from '../serving/reply/refusals.ts';
import { sendError } from '../serving/reply/send-error.ts';

interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly gzipped: Uint8Array;
}

export interface ConsolePageFiles {
  readonly page: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

export interface PagesOptions {
  /** Path of the console, without a slash at the end. */
  readonly base: string;
  readonly files: () => Promise<ConsolePageFiles>;
  readonly errors: ErrorShape;
}

const sendAsset = (request: Request, response: Response, { type, bytes, gzipped }: Asset): void => {
  const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
  const body = isCompressed ? gzipped : bytes;
  response.set({
    'Content-Type': type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Length': String(body.length),
    Vary: 'Accept-Encoding',
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  });
  response.end(body);
};

/**
 * The pages of a console and their assets, which need no session. Every page is the same document:
 * the script reads the path. An asset never changes under its name.
 */
export const consolePages = ({ base, files, errors }: PagesOptions): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  const shape = pageOr(errors);
  const others = otherMethods(['GET'], shape);
  router
    .route(`${base}/assets/:name`)
    .get(async (request, response) => {
      const asset = (await files()).assets.get(request.params.name);
      if (asset) sendAsset(request, response, asset);
      else sendError(request, response, shape, NO_FILE);
    })
    .all(others);
  router
    .route([base, `${base}/{*page}`])
    .get(async (_request, response) => {
      const { page } = await files();
      response.set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(page);
    })
    .all(others);
  return router;
};
