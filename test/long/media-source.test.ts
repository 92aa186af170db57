import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createDecoder } from '../../src/adapters/outgoing/media/decoder.ts';
import { createMediaSource, type MediaSourceOptions } from '../../src/adapters/outgoing/media/media-source.ts';
import { createAddressResolver } from '../memory/address-resolver.ts';
import { parseCidrs } from '../../src/adapters/node/names/ip-address.ts';
import { MAX_IMAGE_BYTES } from '../../src/domain/media/image.ts';
import type { FetchedImage, ImageOutcome, MediaSource } from '../../src/domain/ports/media/media-source.ts';
import { AUTHORITY, CERTIFICATE, KEY, SELF_SIGNED } from '../support/certificates.ts';
import { startProxy } from '../support/connect-proxy.ts';
import { animation, blank, imageOf, largePng, manyGif, manyWebp, rotated, site } from '../support/image-server.ts';
import { avifDeclaredAs, gifBeforeAnother, restartingJpeg, gifOf, ODD_JPEGS, oddJpeg, pngHead } from '../support/odd-images.ts';
import {
  breakOff,
  bytes,
  drip,
  flood,
  hang,
  redirect,
  reset,
  respond,
  startReceiver,
  type Answer,
  type Receiver,
} from '../support/receiver.ts';

let directory: string;
let host: Receiver;
let source: MediaSource;

const loopback = createAddressResolver(() => ['127.0.0.1']);
const open = (options: Partial<MediaSourceOptions> = {}): MediaSource =>
  createMediaSource({ directory, addresses: loopback, allowed: parseCidrs('127.0.0.0/8'), timeoutSeconds: 60, ...options });
/** A source of the test's own, in place of the usual one. */
const use = async (options: Partial<MediaSourceOptions>): Promise<void> => {
  await source.close();
  source = open(options);
};
const fetch = (url = `${host.url}/`, signal = new AbortController().signal) =>
  source.fetch({ askedBy: 'app', url, name: 'item' }, signal);
/** The error code without its message, or the result if there is no error. */
const faultOf = (outcome: ImageOutcome | null) => (outcome?.ok === false ? outcome.code : outcome);
const faultAt = async (url?: string) => faultOf(await fetch(url));
const imageAt = async (url?: string): Promise<FetchedImage> => {
  const outcome = await fetch(url);
  if (!outcome?.ok) throw new Error(`no image: ${JSON.stringify(outcome)}`);
  return outcome.value;
};
const send = (body: Buffer, headers: Record<string, string> = {}): void => host.answer(respond(200, body, headers));
/** The head and a part of the body, and then no more. */
const stall: Answer = (response) => void response.writeHead(200, { 'content-length': 1000 }).write('part');

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenon-incoming-'));
  host = await startReceiver();
  source = open();
});
afterEach(async () => {
  await source.close();
  await host.close();
  await rm(directory, { recursive: true });
});

describe('an image', () => {
  it.each([
    ['jpeg', 'jpg'],
    ['png', 'png'],
    ['webp', 'webp'],
    ['gif', 'gif'],
    ['avif', 'avif'],
  ] as const)('of %s is accepted by its bytes, with any declared type', async (format, extension) => {
    send(await imageOf(format, 31, 17), { 'content-type': 'application/json' });
    expect(await imageAt(`${host.url}/image.svg`)).toMatchObject({ extension, width: 31, height: 17 });
  });

  it.each(['gif', 'webp'] as const)('with animation has the size of one frame: %s', async (format) => {
    send(await animation(format, 40, 12));
    expect(await imageAt()).toMatchObject({ extension: format, width: 40, height: 40 });
  });

  it.each([
    ['gif', () => manyGif(200, 2_500)],
    ['webp', () => manyWebp(200, 2_500)],
  ])('with 100 megapixels in all frames is accepted: %s', async (extension, make) => {
    send(await make());
    expect(await imageAt()).toMatchObject({ extension, width: 200, height: 200 });
  });

  it('with a rotation has the size in which it is shown', async () => {
    send(await rotated(30, 20));
    expect(await imageAt()).toMatchObject({ width: 20, height: 30 });
  });

  it.each(Object.keys(ODD_JPEGS))('that is a JPEG with %s is accepted unchanged, because browsers show it', async (kind) => {
    const body = await oddJpeg(kind, 31, 17);
    send(body);
    expect(await imageAt()).toMatchObject({ extension: 'jpg', width: 31, height: 17, sizeBytes: body.length });
  });

  it('that is a JPEG with odd metadata and damaged pixels is refused as damaged', async () => {
    const body = await oddJpeg('stray bytes between segments', 120, 90);
    body.fill(0xff, Math.floor(body.length / 2), Math.floor(body.length / 2) + 400);
    send(body);
    expect(await faultAt()).toBe('decode_failed');
  });

  it('of exactly 20 MiB is accepted; one more byte is refused, also without a Content-Length', async () => {
    const image = await largePng(2600, 2600);
    const padded = Buffer.concat([image, Buffer.alloc(MAX_IMAGE_BYTES - image.length)]);
    const chunked = (body: Buffer) => host.answer((response) => void response.writeHead(200).end(body));
    chunked(padded);
    expect(await imageAt()).toMatchObject({ sizeBytes: MAX_IMAGE_BYTES, width: 2600 });
    chunked(Buffer.concat([padded, Buffer.alloc(1)]));
    expect(await faultAt()).toBe('too_large');
  });

  it('is requested without cookies, credentials or compression', async () => {
    host.answer(redirect(302, '/b'), respond(200, await imageOf('gif'), { 'set-cookie': 'a=b' }));
    await imageAt(`${host.url}/a?size=1#top`);
    expect(host.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /a?size=1', 'GET /b']);
    for (const { headers } of host.received) {
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
      expect(headers['accept-encoding']).toBe('identity');
    }
  });

  it('has the same result in many concurrent fetches as in a single one', async () => {
    host.answer(site(new Map([['/a', respond(200, await imageOf('png', 5, 5))]])));
    const names = Array.from({ length: 3 }, (_, index) => `item-${index}`);
    const { signal } = new AbortController();
    const outcomes = await Promise.all(names.map((name) => source.fetch({ askedBy: 'app', url: `${host.url}/a`, name }, signal)));
    expect(outcomes.map((outcome) => outcome?.ok)).toEqual(names.map(() => true));
    expect(await readdir(directory)).toHaveLength(names.length);
  });
});

describe('an image that browsers show although its decoder warns of it', () => {
  it.each([
    ['a GIF that another file follows', async () => gifBeforeAnother(), { extension: 'gif', width: 1, height: 1 }],
    [
      'a JPEG with bytes before a restart',
      () => restartingJpeg(Buffer.alloc(100, 7)),
      { extension: 'jpg', width: 8, height: 128 },
    ],
    ['a PNG of 25,000,000 x 1', () => blank('png', 25_000_000, 1), { extension: 'png', width: 25_000_000, height: 1 }],
  ])('%s is accepted', async (_, make, expected) => {
    send(await make());
    expect(await imageAt()).toMatchObject(expected);
  });

  it('such a JPEG that breaks off is damaged', async () => {
    const whole = await restartingJpeg(Buffer.alloc(100, 7));
    send(whole.subarray(0, -20));
    expect(await faultAt()).toBe('decode_failed');
  });
});

describe('a bad image', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  it.each([
    ['SVG', Buffer.from(svg)],
    ['SVG that calls itself PNG', Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['HTML', Buffer.from('<!doctype html><img src="a.png">')],
    ['nothing', Buffer.alloc(0)],
    ['an image that is compressed again', gzipSync('\xff\xd8\xff')],
  ])('%s has an unsupported type', async (_, body) => {
    send(body, { 'content-type': 'image/png' });
    expect(await faultAt()).toBe('unsupported_type');
  });

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('%s that is cut off is damaged', async (format) => {
    const whole = await imageOf(format, 120, 90);
    send(whole.subarray(0, Math.floor(whole.length * 0.9)));
    expect(await faultAt()).toBe('decode_failed');
  });

  it.each([0.3, 0.5, 0.7, 0.95, 0.99])('a JPEG that is cut off after %d of its bytes is damaged', async (part) => {
    const whole = await imageOf('jpeg', 120, 90);
    send(whole.subarray(0, Math.floor(whole.length * part)));
    expect(await faultAt()).toBe('decode_failed');
  });

  // WebP has no checksum: bytes in its middle are other pixels one time in twenty. Its frame begins at byte 20.
  it.each([
    ['jpeg', 0.5],
    ['png', 0.5],
    ['webp', 0],
    ['gif', 0.5],
    ['avif', 0.5],
  ] as const)('%s with overwritten bytes is damaged', async (format, part) => {
    const body = await imageOf(format, 120, 90);
    const at = 20 + Math.floor(body.length * part);
    body.fill(0xff, at, at + 400);
    send(body);
    expect(await faultAt()).toBe('decode_failed');
  });

  it('an image with only its header is damaged', async () => {
    send(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    expect(await faultAt()).toBe('decode_failed');
  });

  it.each([
    ['10,000 x 10,000 PNG', () => blank('png', 10_000, 10_000)],
    ['WebP of 30 megapixels', () => blank('webp', 5_500, 5_500)],
    ['GIF of thousands of frames', () => manyGif(200, 2_501)],
    ['WebP of thousands of frames', () => manyWebp(200, 2_501)],
    ['PNG beyond the limit of the decoder itself', () => pngHead(20_000, 20_000)],
    ['PNG of the largest size that there is', () => pngHead(0x7fffffff, 0x7fffffff)],
    ['GIF with a screen of 4 gigapixels and a frame of one', () => gifOf(65_535, 65_535, { width: 1, height: 1 })],
    [
      'GIF with a second frame larger than its screen',
      () => gifOf(9, 9, { width: 9, height: 9 }, { width: 6_000, height: 6_000 }),
    ],
    ['GIF with a frame far from its screen', () => gifOf(9, 9, { x: 60_000, y: 60_000, width: 9, height: 9 })],
    [
      'GIF with 5 frames of 25 megapixels',
      () => gifOf(9, 9, ...Array.from({ length: 5 }, () => ({ width: 5_000, height: 5_000 }))),
    ],
  ])('a %s has too many pixels', async (_, make) => {
    const body = await make();
    expect(body.length).toBeLessThan(4_000_000);
    send(body);
    expect(await fetch()).toEqual({ ok: false, code: 'too_large', message: expect.stringContaining('too many pixels') });
  });

  it.each([
    ['a HEIC image', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['an SVG image', Buffer.from(svg)],
    ['an HTML page', Buffer.from('<!doctype html><img src="a.png">')],
  ])('the message names the format of %s', async (format, body) => {
    send(body);
    const message = `The file is ${format}. Use JPEG, PNG, WebP, GIF or AVIF.`;
    expect(await fetch()).toEqual({ ok: false, code: 'unsupported_type', message });
  });

  it('an AVIF that is larger than it says is refused for that', async () => {
    send(await avifDeclaredAs(40, 30));
    const message = 'The image is larger than its file says. Save it again, without layers.';
    expect(await fetch()).toEqual({ ok: false, code: 'decode_failed', message });
  });

  it('an AVIF sequence has an unsupported type, and the message says so', async () => {
    const still = await imageOf('avif');
    send(Buffer.concat([still.subarray(0, 8), Buffer.from('avis'), still.subarray(12)]));
    expect(await fetch()).toEqual({
      ok: false,
      code: 'unsupported_type',
      message: expect.stringContaining('AVIF image sequence'),
    });
  });
});

describe('a host', () => {
  const fast = { timeoutSeconds: 60, idleSeconds: 1 };

  it('that sends 21 MB is cut off', async () => {
    let told: (bytesWritten: number) => void = () => undefined;
    const written = new Promise<number>((resolve) => (told = resolve));
    host.answer(flood((bytesWritten) => told(bytesWritten), null));
    expect(await faultAt()).toBe('too_large');
    expect(await written).toBeGreaterThan(MAX_IMAGE_BYTES);
    await host.quiet();
  });

  it('that announces more than 20 MiB is not read', async () => {
    host.answer((response) => void response.writeHead(200, { 'content-length': MAX_IMAGE_BYTES + 1 }).write('x'));
    expect(await faultAt()).toBe('too_large');
    await host.quiet();
  });

  it.each([
    ['never answers', hang],
    ['stops in the middle', stall],
  ])('that %s times out', async (_, answer) => {
    await use(fast);
    host.answer(answer);
    expect(await faultAt()).toBe('timeout');
    expect(host.received).toHaveLength(1);
    await host.quiet();
  });

  it('that sends bytes slowly for ever times out', async () => {
    await use({ timeoutSeconds: 0.5 });
    host.answer(drip);
    expect(await faultAt()).toBe('timeout');
    await host.quiet();
  });

  it('that redirects for longer than a fetch may take times out', async () => {
    await use({ timeoutSeconds: 2 });
    host.answer(redirect(302, '/on'), hang);
    expect(await faultAt()).toBe('timeout');
    expect(host.received).toHaveLength(2);
  });

  it.each([
    ['breaks off', breakOff()],
    ['resets the connection', reset],
    ['speaks no HTTP', bytes('SSH-2.0-OpenSSH_9.2\r\n')],
    ['answers 404', respond(404, 'none')],
    ['answers 500', respond(500)],
    ['answers 304', respond(304)],
    ['redirects without saying where', respond(302)],
    ['redirects to no address', redirect(302, 'http://[')],
    ['redirects in a circle', redirect(302, '/')],
  ])('that %s gives fetch_failed', async (_, answer) => {
    host.answer(answer);
    expect(await faultAt()).toBe('fetch_failed');
    expect(host.received.length).toBeGreaterThan(0);
    await host.quiet();
  });

  it.each([301, 302, 303, 307, 308])('that redirects by %i is followed', async (status) => {
    host.answer(redirect(status, `http://127.0.0.1:${host.port}/there`), respond(200, await imageOf('gif')));
    expect(await imageAt(`${host.url}/here`)).toMatchObject({ extension: 'gif' });
    expect(host.received.map(({ path }) => path)).toEqual(['/here', '/there']);
  });

  it.each([
    'http://10.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/a.png',
    'https://localhost/a.png',
    'http://8.8.8.8/a.png',
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
    'gopher://127.0.0.1/',
    '//0x7f.1@10.0.0.1/',
  ])('may not redirect to %s', async (url) => {
    host.answer(redirect(302, url));
    expect(await faultAt()).toBe('address_not_allowed');
    expect(host.received).toHaveLength(1);
  });

  it('whose name does not resolve, or resolves too late', async () => {
    await use({ addresses: createAddressResolver() });
    expect(await faultAt('https://shop.example.com/a.png')).toBe('fetch_failed');
    await use({ timeoutSeconds: 0.2, addresses: { resolve: () => new Promise(() => undefined) } });
    expect(await faultAt('https://shop.example.com/a.png')).toBe('timeout');
  });

  it('that does not exist', async () => {
    const gone = await startReceiver();
    await gone.close();
    expect(await faultAt(gone.url)).toBe('fetch_failed');
  });

  it('that accepts the connection but does not answer the TLS handshake', async () => {
    await use(fast);
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const arrived = once(silent, 'connection') as Promise<[Socket]>;
    const fetching = faultAt(`https://shop.example.com:${(silent.address() as AddressInfo).port}/`);
    const [socket] = await arrived;
    const closed = once(socket.resume(), 'close');
    expect(await fetching).toBe('timeout');
    await closed;
    silent.close();
  });

  it.each([
    ['with its certificate', CERTIFICATE, null],
    ['without one that is trusted', SELF_SIGNED, 'fetch_failed'],
  ])('by TLS %s', async (_, cert, fault) => {
    await use({ authorities: AUTHORITY });
    const secure = await startReceiver({ tls: { cert, key: KEY } });
    secure.answer(respond(200, await imageOf('png')));
    const outcome = await fetch(`https://receiver.example.com:${secure.port}/`);
    expect(outcome?.ok ? null : faultOf(outcome)).toBe(fault);
    expect(secure.received).toHaveLength(fault === null ? 1 : 0);
    await secure.close();
  });

  it('is reached through the proxy, which gets no request for a private address', async () => {
    const proxy = await startProxy();
    await use({ proxy: proxy.url });
    send(await imageOf('png'));
    await imageAt();
    expect(await faultAt('https://10.0.0.1/')).toBe('address_not_allowed');
    expect(proxy.asked.map(({ authority }) => authority)).toEqual([`127.0.0.1:${host.port}`]);
    await proxy.close();
  });
});

describe('a fetch', () => {
  const abortOnce = async (begun: Promise<unknown>, url?: string): Promise<void> => {
    const stop = new AbortController();
    const fetching = fetch(url, stop.signal);
    await begun;
    stop.abort();
    expect(await fetching).toBeNull();
    expect(await readdir(directory)).toEqual([]);
  };

  it('ends immediately when it is aborted, and closes its connection', async () => {
    host.answer(drip);
    await abortOnce(host.next());
    await host.quiet();
  });

  it('ends immediately when it is aborted during the name lookup', async () => {
    let asked: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (asked = resolve));
    await use({
      addresses: {
        resolve: () => {
          asked();
          return new Promise(() => undefined);
        },
      },
    });
    await abortOnce(begun, 'https://shop.example.com/');
  });

  it('ends immediately when it is aborted while it waits for the decoder or is decoded', async () => {
    send(await blank('avif', 5_000, 4_900));
    const stop = new AbortController();
    const outcomes = ['one', 'two'].map((name) => source.fetch({ askedBy: 'app', url: host.url, name }, stop.signal));
    await host.next();
    await host.next();
    // Both images have been sent whole; the second waits for the first, whose pixels take longer than this.
    await host.quiet();
    stop.abort();
    expect(await Promise.all(outcomes)).toEqual([null, null]);
    expect(await readdir(directory)).toEqual([]);
    // The decoder is free again.
    send(await imageOf('png'));
    expect(await imageAt()).toMatchObject({ extension: 'png' });
  });

  it('times out when decoding takes too long', async () => {
    send(await blank('avif', 5_000, 4_900));
    await use({ timeoutSeconds: 0.3 });
    expect(await faultAt()).toBe('timeout');
    expect(await readdir(directory)).toEqual([]);
  });

  it('replaces a killed fetch and removes its stale files', async () => {
    await writeFile(join(directory, 'item.killed'), 'half');
    await writeFile(join(directory, 'other.in-flight'), 'half');
    await writeFile(join(directory, 'another.stale'), 'half');
    const long = new Date(Date.now() - 7_200_000);
    await utimes(join(directory, 'another.stale'), long, long);
    send(await imageOf('png'));
    const { path } = await imageAt();
    expect((await readdir(directory)).sort()).toEqual([path.slice(directory.length + 1), 'other.in-flight'].sort());
  });

  it('does not treat the files of a running fetch as stale when the clock is far ahead', async () => {
    await writeFile(join(directory, 'other.in-flight'), 'half');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    try {
      send(await imageOf('png'));
      await imageAt();
    } finally {
      vi.useRealTimers();
    }
    expect(await readdir(directory)).toContain('other.in-flight');
  });

  it('rejects, rather than blaming the image, if its file disappears before it is decoded', async () => {
    const gone = createDecoder()(join(directory, 'gone.png'), 'png', new AbortController().signal, () => undefined);
    await expect(gone).rejects.toThrow(/^The image decoder does not run: [^]*ENOENT/);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])(
    'rejects, rather than blaming the image, if %s stops every process of the server',
    async (signal) => {
      const program = join(directory, 'stopped.mjs');
      await writeFile(program, `process.kill(process.pid, '${signal}');\nsetInterval(() => {}, 1_000);\n`);
      const stopped = createDecoder(program)(join(directory, 'image.png'), 'png', new AbortController().signal, () => undefined);
      await expect(stopped).rejects.toThrow(new RegExp(`^The image decoder was stopped by ${signal}\\.$`));
    },
  );

  it('rejects if the disk has no space for its file', async () => {
    await use({ directory: '/proc/tenon' });
    await expect(fetch()).rejects.toThrow(/proc/);
    expect(host.received).toHaveLength(0);
  });
});
