import { mkdtemp, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { parseCidrs } from '../../src/adapters/node/names/ip-address.ts';
import { createMediaSource } from '../../src/adapters/outgoing/media/media-source.ts';
import { MAX_IMAGE_BYTES } from '../../src/domain/media/image.ts';
import type { ImageOutcome, MediaSource } from '../../src/domain/ports/media/media-source.ts';
import { createAddressResolver } from '../memory/address-resolver.ts';
import { KEY, SELF_SIGNED } from '../support/certificates.ts';
import { imageOf } from '../support/image-server.ts';
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

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenon-incoming-'));
  host = await startReceiver();
  const addresses = createAddressResolver({}, new Set(['busy']));
  source = createMediaSource({ directory, addresses, allowed: parseCidrs('127.0.0.0/8'), timeoutSeconds: 3, idleSeconds: 1 });
});
afterEach(async () => {
  await source.close();
  await host.close();
  await rm(directory, { recursive: true });
});

const fetch = (url = host.url, askedBy = 'app'): Promise<ImageOutcome | null> =>
  source.fetch({ askedBy, url, name: 'item' }, new AbortController().signal);
const encoded = (body: Buffer, encoding: string): Answer => respond(200, body, { 'content-encoding': encoding });
const failure = (code: string, message: string, passing: object = {}) => ({ ok: false, code, message, ...passing });
const passing = (retryAfterSeconds: number | null = null) => ({ passing: { retryAfterSeconds } });
const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString();

describe('an item is given the reason that was found', () => {
  it.each<[string, Answer, ReturnType<typeof failure>]>([
    ['404', respond(404), failure('fetch_failed', 'The host answered 404 (Not Found).')],
    ['403', respond(403), failure('fetch_failed', 'The host answered 403 (Forbidden).')],
    ['a status of its own', respond(499), failure('fetch_failed', 'The host answered 499.')],
    ['a redirect to nowhere', redirect(302, 'http://['), failure('fetch_failed', 'The host redirected to no address.')],
    ['a circle', redirect(302, '/'), failure('fetch_failed', 'The host redirects more than 3 times.')],
    ['0 bytes', respond(200), failure('unsupported_type', 'The file is empty.')],
    ['0 bytes, compressed', encoded(gzipSync(''), 'gzip'), failure('unsupported_type', 'The file is empty.')],
    [
      'an HTML page',
      respond(200, '<!doctype html><title>Not found</title>', { 'content-type': 'image/png' }),
      failure('unsupported_type', 'The file is an HTML page. Use JPEG, PNG, WebP, GIF or AVIF.'),
    ],
    [
      'a compressed HTML page',
      encoded(brotliCompressSync('<html></html>'), 'br'),
      failure('unsupported_type', 'The file is an HTML page. Use JPEG, PNG, WebP, GIF or AVIF.'),
    ],
    ['text', respond(200, 'text'), failure('unsupported_type', 'The file is not a JPEG, PNG, WebP, GIF or AVIF image.')],
    [
      'an encoding that nobody knows',
      encoded(Buffer.from('x'), 'zstd'),
      failure(
        'unsupported_type',
        'The host compresses the file as zstd, which is not supported. Send it as it is, or as gzip, br or deflate.',
      ),
    ],
    [
      'two encodings',
      encoded(gzipSync(gzipSync('x')), 'gzip, gzip'),
      failure(
        'unsupported_type',
        'The host compresses the file as gzip, gzip, which is not supported. Send it as it is, or as gzip, br or deflate.',
      ),
    ],
    ...(['gzip', 'br', 'deflate'] as const).map((name): [string, Answer, ReturnType<typeof failure>] => [
      `bytes that are not ${name}`,
      encoded(Buffer.from('GIF89a is not compressed'), name),
      failure(
        'decode_failed',
        `The host says that the file is compressed as ${name}, and its bytes are damaged, incomplete or not compressed.`,
      ),
    ]),
    [
      'half of a gzip',
      encoded(gzipSync(Buffer.alloc(10_000, 'GIF89a')).subarray(0, 30), 'gzip'),
      failure(
        'decode_failed',
        'The host says that the file is compressed as gzip, and its bytes are damaged, incomplete or not compressed.',
      ),
    ],
    [
      'a gzip bomb',
      encoded(gzipSync(Buffer.alloc(2 * MAX_IMAGE_BYTES)), 'gzip'),
      failure('too_large', 'The image has more than 20 MiB.'),
    ],
    ['more than 20 MiB', flood(() => undefined, null), failure('too_large', 'The image has more than 20 MiB.')],
    ['no HTTP', bytes('SSH-2.0-OpenSSH_9.2\r\n'), failure('fetch_failed', 'The response is not valid HTTP/1.1.')],
    [
      '429 with seconds',
      respond(429, '', { 'retry-after': '7' }),
      failure('fetch_failed', 'The host answered 429 (Too Many Requests).', passing(7)),
    ],
    ['503 without', respond(503), failure('fetch_failed', 'The host answered 503 (Service Unavailable).', passing())],
    ['502', respond(502), failure('fetch_failed', 'The host answered 502 (Bad Gateway).', passing())],
    ['504', respond(504), failure('fetch_failed', 'The host answered 504 (Gateway Timeout).', passing())],
    ['500', respond(500), failure('fetch_failed', 'The host answered 500 (Internal Server Error).', passing())],
    [
      'a Retry-After that nobody can read',
      respond(503, '', { 'retry-after': 'soon' }),
      failure('fetch_failed', 'The host answered 503 (Service Unavailable).', passing()),
    ],
    ['a reset', reset, failure('fetch_failed', 'The connection ended before the image did.', passing())],
    ['half an image', breakOff(), failure('fetch_failed', 'The connection ended before the image did.', passing())],
    ['nothing', hang, failure('timeout', 'The host sent nothing for too long.', passing())],
    ['bytes for ever', drip, failure('timeout', 'The host took too long to send the image.', passing())],
  ])('%s', async (_what, answer, expected) => {
    host.answer(answer);
    expect(await fetch()).toEqual(expected);
  });

  it('a certificate that nobody vouches for', async () => {
    const secure = await startReceiver({ tls: { cert: SELF_SIGNED, key: KEY } });
    const found = await fetch(`https://127.0.0.1:${String(secure.port)}/`);
    await secure.close();
    const message = 'The certificate of the host is from an unknown authority, or its chain is not complete.';
    expect(found).toMatchObject(failure('fetch_failed', message));
  });
  it('a Retry-After that is a date', async () => {
    host.answer(respond(503, '', { 'retry-after': inAnHour() }));
    const outcome = await fetch();
    const seconds = outcome?.ok === false ? outcome.passing?.retryAfterSeconds : null;
    expect(seconds).toBeGreaterThan(3000);
    expect(seconds).toBeLessThanOrEqual(3600);
  });

  it.each([
    ['https://none.example.com/a', failure('fetch_failed', 'The host name does not resolve.', passing())],
    ['https://10.0.0.1/a', failure('address_not_allowed', 'The address is private, or plain http.')],
  ])('%s', async (url, expected) => {
    expect(await fetch(url)).toEqual(expected);
  });

  it('too many names at once', async () => {
    const reason = 'Too many other host names of the app waited for their name servers.';
    expect(await fetch('https://none.example.com/a', 'busy')).toEqual(failure('fetch_failed', reason, passing()));
  });

  it('a host that is not there', async () => {
    const gone = await startReceiver();
    await gone.close();
    expect(await fetch(gone.url)).toEqual(failure('fetch_failed', 'The host could not be reached.', passing()));
  });

  it('half of an image', async () => {
    const image = await imageOf('png', 30, 20);
    host.answer(respond(200, image.subarray(0, image.length / 2)));
    expect(await fetch()).toEqual(failure('decode_failed', 'The image is damaged or incomplete.'));
  });
});

it.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['identity, gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['identity', (image: Buffer) => image],
  ['', (image: Buffer) => image],
])('an image that a host sends as %j is decoded', async (encoding, compress) => {
  const image = await imageOf('png', 30, 20);
  host.answer(encoded(compress(image), encoding));
  expect(await fetch()).toMatchObject({ ok: true, value: { extension: 'png', sizeBytes: image.length, width: 30, height: 20 } });
});

it('a gzip bomb without an end is refused as soon as it is too large', async () => {
  const zeros = Buffer.alloc(1024 * 1024);
  host.answer((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const compressed = createGzip();
    pipeline(
      function* () {
        for (;;) yield zeros;
      },
      compressed,
      response,
    ).catch(() => undefined);
  });
  expect(await fetch()).toMatchObject({ ok: false, code: 'too_large' });
  await host.quiet();
});

it('a body that never decodes to a byte is not read for ever', async () => {
  // Empty blocks of deflate, behind the head of a gzip.
  const [head, block] = [gzipSync('').subarray(0, 10), Buffer.alloc(65_535, Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]))];
  host.answer((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.write(head);
    const pour = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', pour);
    pour();
  });
  expect(await fetch()).toMatchObject({ ok: false, code: 'too_large' });
});
