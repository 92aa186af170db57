import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

import type { Given } from '../history.ts';
import type { Random } from '../random.ts';

export interface Images {
  /**
   * An address that holds this name, and what it gives: an image of its own, one that others give
   * too, or none.
   */
  draw(random: Random, name: string): Promise<{ readonly sourceUrl: string; readonly given: Given }>;
  close(): Promise<void>;
}

/** So few that several products have them. */
const SHARED = 5;
const SIDE = 16;

/** A PNG of the one colour that is its number: the same bytes each time, and no two alike. */
const imageOf = (n: number): Promise<Buffer> => {
  const background = { r: (n >> 16) & 255, g: (n >> 8) & 255, b: n & 255 };
  return sharp({ create: { width: SIDE, height: SIDE, channels: 3, background } })
    .png()
    .toBuffer();
};

/** The end of an address that answers 503 the first time. */
const BUSY = '?busy';

/** Files that are not images, with the resulting error of the item. */
const FAULTY: Readonly<Record<string, { readonly errorCode: string; readonly answer: (response: ServerResponse) => void }>> = {
  missing: { errorCode: 'fetch_failed', answer: (response) => response.writeHead(404).end() },
  text: {
    errorCode: 'unsupported_type',
    answer: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('no image'),
  },
  broken: {
    errorCode: 'decode_failed',
    answer: (response) => void imageOf(0).then((bytes) => response.end(bytes.subarray(0, 60))),
  },
};

/**
 * A server of images on the loopback, `/<kind or number>/<name>`, that answers the same whenever it
 * is asked, but for those that are busy at first.
 */
export const openImages = async (): Promise<Images> => {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const { url = '' } = request;
    const kind = url.split('/')[1] ?? '';
    const faulty = FAULTY[kind];
    const isBusy = url.endsWith(BUSY) && !asked.has(url);
    asked.add(url);
    if (isBusy) response.writeHead(503).end();
    else if (faulty) faulty.answer(response);
    else void imageOf(Number(kind)).then((bytes) => response.end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let last = SHARED;
  return {
    draw: async (random, name) => {
      const addressOf = (kind: string): string => `http://127.0.0.1:${port}/${kind}/${name}`;
      if (random.chance(0.15)) {
        const [kind, { errorCode }] = random.pick(Object.entries(FAULTY));
        return { sourceUrl: addressOf(kind), given: { errorCode } };
      }
      const n = random.chance(0.2) ? random.below(SHARED) : (last += 1);
      const sha256 = createHash('sha256')
        .update(await imageOf(n))
        .digest('hex');
      return { sourceUrl: `${addressOf(String(n))}${random.chance(0.2) ? BUSY : ''}`, given: { sha256 } };
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
