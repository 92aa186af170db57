import { z } from 'zod';

import { IMAGE_TYPES, mediaKey, parseMediaKey } from '../../../domain/media/media-file.ts';
import { ok } from '../../../domain/result.ts';
import { FileBody } from '../answer.ts';
import { route } from '../route.ts';
import { NO_FILE } from '../serving/reply/refusals.ts';

/** A file never changes under its address, and is served only as a picture, with any bytes. */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Accept-Ranges': 'bytes',
} as const;

const STORE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FILE = new RegExp(`^[0-9a-f]{64}\\.(?:${Object.keys(IMAGE_TYPES).join('|')})$`);

const fileParams = z.object({
  storeId: z
    .string()
    .regex(STORE_ID)
    .meta({ description: 'The id of the store.', examples: ['019a0000-0000-7000-8000-000000000001'] }),
  file: z
    .string()
    .regex(FILE)
    .meta({
      description: 'The SHA-256 of the bytes in hexadecimal, with the file extension of the type.',
      examples: [`${'5e'.repeat(32)}.jpg`],
    }),
});

export const mediaFileRoute = route
  .get('/media/:storeId/:file', 'getMediaFile')
  .public('Media')
  .summary(
    'Get an image',
    'Returns a stored image to anyone who knows its address, which is the URL of a media in the product detail. It never changes, so it can be cached forever.',
  )
  .strictParams(fileParams)
  .etag()
  .ranges()
  .returns(200, z.string().meta({ format: 'binary' }), 'image/*')
  .example({ response: 'The bytes of the image.' })
  .refuses('not_found')
  .handle((_app, { params: { storeId, file: name }, context }) => {
    const file = parseMediaKey(`${storeId}/${name}`);
    if (file === null) return Promise.resolve(NO_FILE);
    const headers = { ...HEADERS, 'Content-Type': IMAGE_TYPES[file.extension] };
    const etag = `"${file.sha256}"`;
    return Promise.resolve(ok(new FileBody({ storage: context.resources.mediaStorage, key: mediaKey(file), etag, headers })));
  });
