import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import type { Request, Response } from 'express';

import { IMAGE_TYPES, mediaKey, parseMediaKey } from '../../../domain/media/media-file.ts';
import type { MediaFile } from '../../../domain/media/media-file.ts';
import type { ByteRange, MediaStorage } from '../../../domain/ports/media-storage.ts';
import { otherMethods } from '../serving/methods.ts';
import { matches } from '../serving/respond.ts';
import { sendError } from '../serving/send-error.ts';

const PATH = '/media/:storeId/:file';
/** A caller who takes nothing for so long is cut off: it holds a descriptor, or one of the connections to the bucket. */
const STALL_SECONDS = 30;

/** A file never changes under its address, and is nothing but a picture, whatever its bytes were taken for. */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Accept-Ranges': 'bytes',
} as const;

const oneRange = /^bytes=(?:(?<first>\d+)-(?<last>\d*)|-(?<suffix>\d+))$/;

/** The range that is asked for, cut to the file; `whole` where none is, or several, or none that can be read, or of a file that has changed (RFC 9110, 13.1.5 and 14.1.2). */
const rangeOf = (req: Request, etag: string, size: number): ByteRange | 'whole' | 'unsatisfiable' => {
  const condition = req.headers['if-range'];
  const asked = oneRange.exec(req.headers.range ?? '')?.groups;
  if (asked === undefined || (condition !== undefined && condition !== etag)) return 'whole';
  const { first, last, suffix } = asked;
  const start = first === undefined ? Math.max(size - Number(suffix), 0) : Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return 'whole';
  return start < size ? { start, end } : 'unsatisfiable';
};

const fileOf = (req: Request<{ storeId: string; file: string }>): MediaFile | null =>
  parseMediaKey(`${req.params.storeId}/${req.params.file}`);

const etagOf = (file: MediaFile): string => `"${file.sha256}"`;

const describe = (res: Response, file: MediaFile): void => {
  res.setHeaders(new Map(Object.entries(HEADERS)));
  res.setHeader('Content-Type', IMAGE_TYPES[file.extension]).setHeader('ETag', etagOf(file));
};

/** A caller who goes in the middle is no error; what the storage breaks off is. */
const pour = async (bytes: AsyncIterable<Uint8Array>, res: Response): Promise<void> => {
  const source = bytes instanceof Readable ? bytes : Readable.from(bytes);
  let gone = res.closed;
  res.once('close', () => {
    gone = source.errored === null;
  });
  try {
    await pipeline(source, res);
  } catch (error) {
    if (!gone) throw error;
  }
};

const notFound = (req: Request, res: Response): void => {
  sendError(req, res, 'plain', { code: 'not_found', message: 'File not found.' });
};

const sendFile = async (
  storage: MediaStorage,
  file: MediaFile,
  req: Request,
  res: Response,
  range?: ByteRange,
): Promise<void> => {
  const stored = await storage.read(mediaKey(file), range);
  if (stored === null) {
    notFound(req, res);
    return;
  }
  describe(res, file);
  if (range) res.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${stored.sizeBytes}`);
  res.setHeader('Content-Length', range ? range.end - range.start + 1 : stored.sizeBytes);
  await pour(stored.bytes, res);
};

/** What needs the size before the bytes, or no bytes at all. */
const answerByState = async (storage: MediaStorage, file: MediaFile, req: Request, res: Response): Promise<void> => {
  const size = await storage.size(mediaKey(file));
  if (size === null) {
    notFound(req, res);
    return;
  }
  const range = rangeOf(req, etagOf(file), size);
  if (matches(req.headers['if-none-match'], etagOf(file))) {
    describe(res, file);
    res.status(304).end();
  } else if (req.method === 'HEAD') {
    describe(res, file);
    res.setHeader('Content-Length', size).end();
  } else if (range === 'unsatisfiable') {
    res.status(416).setHeader('Content-Range', `bytes */${size}`).end();
  } else await sendFile(storage, file, req, res, range === 'whole' ? undefined : range);
};

/** GET and HEAD of what the media storage keeps, for anyone: the address holds a hash that none can guess, and shops show it to the world. */
export const mediaRouter = (storage: MediaStorage, stallSeconds = STALL_SECONDS): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  const others = otherMethods(['GET'], 'plain');
  router
    .route(PATH)
    .get(async (req, res, next) => {
      const file = fileOf(req);
      if (file === null) {
        next('route');
        return;
      }
      res.locals.notes.route = `GET ${PATH}`;
      res.setTimeout(stallSeconds * 1_000);
      const conditions = req.headers.range ?? req.headers['if-none-match'];
      if (req.method === 'GET' && conditions === undefined) await sendFile(storage, file, req, res);
      else await answerByState(storage, file, req, res);
    })
    .all((req, res, next) => {
      // What cannot be the name of a file is an unknown path, whatever the method.
      if (fileOf(req) === null) next('route');
      else others(req, res, next);
    });
  return router;
};
