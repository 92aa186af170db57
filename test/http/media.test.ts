import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, readdir, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { mediaFileRoute } from '../../src/adapters/http/pages/media.ts';
import { createMediaStorage } from '../memory/media/media-storage.ts';
import { mediaKey, type ImageExtension } from '../../src/domain/media/media-file.ts';
import type { MediaStorage } from '../../src/domain/ports/media/media-storage.ts';
import { openApp, type OpenApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { memoryHttpApp, RESOURCES } from '../support/http-app.ts';
import { startS3, type TestS3 } from '../support/s3.ts';

const MEGABYTE = 1_048_576;

interface Served {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: Buffer;
}

/** Puts a file; gives where it is served. */
const serve = async (storage: MediaStorage, bytes: Buffer, extension: ImageExtension = 'png'): Promise<Served> => {
  const local = join(tmpdir(), `tenon-local-${randomUUID()}`);
  await writeFile(local, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = mediaKey({ storeId: randomUUID(), sha256, extension });
  await storage.put(key, local, 'image/png');
  await rm(local);
  return { path: `/media/${key}`, sha256, bytes };
};

const INERT = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
};

const get = (app: OpenApp, path: string, headers: Readonly<Record<string, string>> = {}) =>
  request(app.url).get(path).set(headers).buffer(true).parse(asBytes);

const asBytes = (res: request.Response, done: (error: Error | null, body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  const stream = res as unknown as Readable;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    done(null, Buffer.concat(chunks));
  });
};

const worlds: Record<string, () => Promise<{ MEDIA_STORAGE: string; close: () => Promise<void> }>> = {
  'a directory': async () => {
    const MEDIA_STORAGE = await mkdtemp(join(tmpdir(), 'tenon-media-'));
    return { MEDIA_STORAGE, close: () => rm(MEDIA_STORAGE, { recursive: true }) };
  },
  S3: async () => {
    const s3: TestS3 = await startS3('shop-media');
    return { MEDIA_STORAGE: `${s3.endpoint}/shop-media`, close: s3.close };
  },
};

describe.each(Object.entries(worlds))('GET /media/{storeId}/{file} from %s', (_, open) => {
  let world: Awaited<ReturnType<typeof open>>;
  let app: OpenApp;
  let storage: MediaStorage;
  let file: Served;
  beforeAll(async () => {
    world = await open();
    app = await openApp({ ROLE: 'api', MEDIA_STORAGE: world.MEDIA_STORAGE });
    storage = app.container.resolve(TOKENS.ports).mediaStorage;
    file = await serve(storage, randomBytes(100_000));
  });
  afterAll(async () => {
    await app.close();
    await world.close();
  });

  it('200 with the bytes, their hash as a strong ETag, and headers that cache it for ever and run nothing in it', async () => {
    const answer = await get(app, file.path);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      ...INERT,
      'content-type': 'image/png',
      'content-length': '100000',
      etag: `"${file.sha256}"`,
    });
    expect(file.bytes.equals(answer.body as Buffer)).toBe(true);
  });
  it.each([
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
    ['avif', 'image/avif'],
  ] as const)('200 with the type that the key names: %s is %s, for any bytes', async (extension, type) => {
    const html = await serve(storage, Buffer.from('<html><script>alert(1)</script>'), extension);
    expect((await get(app, html.path)).headers).toMatchObject({ ...INERT, 'content-type': type });
  });
  it('HEAD: 200 with the same headers and no bytes, also with a range', async () => {
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const answer = await request(app.url).head(file.path).set(headers);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ ...INERT, 'content-length': '100000', etag: `"${file.sha256}"` });
      expect(answer.text).toBeFalsy();
    }
  });
  it.each(['the tag', 'W/the tag', '"other", the tag', '*'])('304 when If-None-Match has %s', async (text) => {
    const etag = `"${file.sha256}"`;
    const answer = await get(app, file.path, { 'if-none-match': text.replace('the tag', etag), range: 'bytes=0-9' });
    expect(answer.status).toBe(304);
    expect(answer.headers).toMatchObject({ etag, 'cache-control': INERT['cache-control'] });
    expect((answer.body as Buffer).length).toBe(0);
  });
  it('200 when If-None-Match has another tag', async () => {
    const answer = await get(app, file.path, { 'if-none-match': '"other"' });
    expect(answer.status).toBe(200);
    expect(file.bytes.equals(answer.body as Buffer)).toBe(true);
  });
  it.each([
    ['bytes=10-19', 10, 19],
    ['bytes=99990-', 99_990, 99_999],
    ['bytes=-5', 99_995, 99_999],
    ['bytes=99990-200000', 99_990, 99_999],
    ['bytes=0-', 0, 99_999],
    ['bytes=-200000', 0, 99_999],
  ])('206 for %s', async (range, start, end) => {
    const answer = await get(app, file.path, { range });
    expect(answer.status).toBe(206);
    expect(answer.headers).toMatchObject({
      ...INERT,
      'content-range': `bytes ${start}-${end}/100000`,
      'content-length': String(end - start + 1),
      'content-type': 'image/png',
    });
    expect(file.bytes.subarray(start, end + 1).equals(answer.body as Buffer)).toBe(true);
  });
  it('206 when If-Range has the tag; 200 and the whole file when it has another tag, a weak tag or a time', async () => {
    const etag = `"${file.sha256}"`;
    const statusOf = async (ifRange: string) => (await get(app, file.path, { range: 'bytes=10-19', 'if-range': ifRange })).status;
    expect(await statusOf(etag)).toBe(206);
    expect(await statusOf('"other"')).toBe(200);
    expect(await statusOf(`W/${etag}`)).toBe(200);
    expect(await statusOf(new Date().toUTCString())).toBe(200);
  });
  it.each(['bytes=100000-', 'bytes=100000-100001', 'bytes=-0'])('416 with the size for %s', async (range) => {
    const answer = await get(app, file.path, { range });
    expect(answer.status).toBe(416);
    expect(answer.headers['content-range']).toBe('bytes */100000');
    expect(answer.headers['cache-control']).toBeUndefined();
  });
  it.each([
    'bytes=10-19,30-39',
    'bytes=x-y',
    'items=0-9',
    'bytes 0-9',
    'bytes=9-5',
    'bytes=-',
    `bytes=${'0-0,'.repeat(2000)}0-0`,
  ])('200 and the whole file for a range that is not supported: %#', async (range) => {
    const answer = await get(app, file.path, { range });
    expect(answer.status).toBe(200);
    expect((answer.body as Buffer).length).toBe(100_000);
  });
  it('404 without caching when the file does not exist, for every kind of request', async () => {
    const path = file.path.replace('.png', '.gif');
    for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }]) {
      const answer = await request(app.url).get(path).set(headers);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: 'File not found.', code: 'not_found' });
      expect(answer.headers['cache-control']).toBeUndefined();
    }
    expect((await request(app.url).head(path)).status).toBe(404);
  });
  it.each(['post', 'put', 'patch', 'delete'] as const)('405 for %s, and the file stays', async (verb) => {
    expect((await request(app.url)[verb](file.path)).status).toBe(405);
    expect(await storage.size(file.path.slice('/media/'.length))).toBe(100_000);
  });
  it('all files have the same path pattern in the metrics and the log', async () => {
    const path = file.path.replace('.png', '.webp');
    await get(app, path);
    await eventually(() => {
      expect(app.logged().find((line) => line['path'] === path)).toMatchObject({
        route: 'GET /media/:storeId/:file',
        status: 404,
      });
    });
  });

  it('callers who disconnect in the middle leave no open file, no connection and no error', async () => {
    const large = await serve(storage, randomBytes(8 * MEGABYTE));
    const { hostname, port } = new URL(app.url);
    const openNow = async (): Promise<number> => {
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      return links.filter((link) => link.includes(large.sha256)).length;
    };
    // Some before anything came, some once bytes did.
    const gone = Array.from({ length: 60 }, async (_, k) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`GET ${large.path} HTTP/1.1\r\nHost: x.test\r\n${k % 3 === 0 ? 'Range: bytes=1-\r\n' : ''}\r\n`);
      if (k % 2 === 0) await once(socket, 'data');
      socket.destroy();
      await once(socket, 'close');
    });
    await Promise.all(gone);
    await eventually(async () => expect(await openNow()).toBe(0));
    await eventually(() =>
      expect(app.logged().filter(({ path, msg }) => msg === 'request' && path === large.path)).toHaveLength(60),
    );
    const aborted = app.logged().filter(({ path, aborted: cut }) => path === large.path && cut === true);
    expect(aborted.length).toBeGreaterThan(0);
    expect(app.logged().filter(({ msg }) => msg === 'request failed')).toEqual([]);
    expect((await get(app, large.path)).status).toBe(200);
  });
});

describe('a media directory that does not exist', () => {
  let app: OpenApp;
  let folder: string;
  let directory: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-media-'));
    directory = join(folder, 'mount', 'media');
    app = await openApp({ ROLE: 'api', MEDIA_STORAGE: directory });
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  const start = async (): Promise<string> => {
    const started = await openApp({ ROLE: 'api', MEDIA_STORAGE: directory }, app).catch((error: unknown) => error as Error);
    if (started instanceof Error) return `${started.name}: ${started.message}`;
    await started.stop();
    return 'started';
  };

  it('is created by a start while the database names no media files', async () => {
    await rm(directory, { recursive: true });
    expect(await start()).toBe('started');
    expect(await readdir(directory)).toEqual(['drafts']);
  });
  it('stops the start with one line if the database names media files, until it is mounted or created', async () => {
    const { id } = await app.aStore();
    await app.database.query(`INSERT INTO media_files VALUES ($1, $2, 'image/png', 8, 1, 1, now())`, [id, `${id}/a.png`]);
    await rename(join(folder, 'mount'), join(folder, 'away'));
    expect(await start()).toBe(
      `MediaStorageFailure: The media directory ${directory} does not exist. It is created only while the database names no media files. Mount it, or correct MEDIA_STORAGE. If its files are lost, create it yourself: the server continues without them.`,
    );
    expect(await readdir(folder)).toEqual(['away']);
    await mkdir(directory, { recursive: true });
    expect(await start()).toBe('started');
  });
});

describe('a path without a file', () => {
  let app: OpenApp;
  let directory: string;
  const storeId = randomUUID();
  const sha256 = 'ab'.repeat(32);
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenon-media-'));
    app = await openApp({ ROLE: 'api', MEDIA_STORAGE: join(directory, 'inner') });
    await writeFile(join(directory, 'secret.png'), 'secret');
    await writeFile(join(directory, 'inner', 'secret.png'), 'secret');
  });
  afterAll(async () => {
    await app.close();
    await rm(directory, { recursive: true });
  });
  /** Sends the path unchanged: clients of libraries normalise it. */
  const raw = async (path: string): Promise<string> => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x.test\r\nConnection: close\r\n\r\n`);
    return (await socket.setEncoding('latin1').toArray()).join('');
  };
  it.each([
    '/media/../secret.png',
    '/media/x/../../secret.png',
    '/media/%2e%2e/secret.png',
    '/media/..%2fsecret.png/x.png',
    '/media/%2e%2e%2f%2e%2e%2fetc%2fpasswd/x.png',
    `/media/${storeId}/..%2fsecret.png`,
    `/media/${storeId}/..%5csecret.png`,
    `/media/${storeId}/%252e%252e%252fsecret.png`,
    '/media/drafts/secret.png',
    '/media/./secret.png',
    '/media//secret.png',
    `/media/${storeId}/${sha256}.png%00.gif`,
    `/media/${storeId}/${sha256}.svg`,
    `/media/${storeId}/${sha256}.html`,
    `/media/${storeId}/${sha256}.constructor`,
    `/media/${storeId}/${sha256}.png/`,
    `/media/${storeId}/${sha256}.PNG`,
    `/media/${storeId.toUpperCase()}/${sha256}.png`,
    `/media/${storeId}/${sha256.toUpperCase()}.png`,
    `/media/${storeId}/${sha256}.png%0a`,
    `/Media/${storeId}/${sha256}.png`,
    '/media',
    '/media/',
    `/media/${storeId}`,
  ])('404 for %s', async (path) => {
    const answer = await raw(path);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toContain('secret"');
    expect(answer.endsWith('"code":"not_found"}')).toBe(true);
  });
  it('400 for a path that is not a URI', async () => {
    expect(await raw(`/media/${storeId}/%zz`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('when the storage is unavailable', () => {
  it('503 for every request for a file, and the rest of the API works', async () => {
    const s3 = await startS3('shop-media');
    const app = await openApp({ ROLE: 'api', MEDIA_STORAGE: `${s3.endpoint}/shop-media` });
    try {
      const file = await serve(app.container.resolve(TOKENS.ports).mediaStorage, randomBytes(100));
      await s3.close();
      process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'unused';
      for (const answer of [await get(app, file.path), await get(app, file.path, { range: 'bytes=0-9' })]) {
        expect(answer.status).toBe(503);
        expect(answer.headers).toMatchObject({ 'retry-after': '1' });
        expect(answer.headers['cache-control']).toBeUndefined();
      }
      expect(app.logged().find(({ msg }) => msg === 'request failed')).toMatchObject({
        err: {
          type: 'StorageUnavailable',
          message: expect.stringContaining('the media bucket shop-media of http://127.0.0.1:') as string,
        },
      });
      expect((await request(app.url).get('/readyz')).status).toBe(200);
    } finally {
      Reflect.deleteProperty(process.env, 'AWS_ACCESS_KEY_ID');
      Reflect.deleteProperty(process.env, 'AWS_SECRET_ACCESS_KEY');
      await app.close();
    }
  });
});

describe('a storage that fails in the middle, a caller who stops reading', () => {
  const file = { storeId: randomUUID(), sha256: 'cd'.repeat(32), extension: 'png' } as const;
  /** The route alone, on this storage; with what was thrown at it. */
  const open = async (storage: MediaStorage, stallSeconds?: number) => {
    const thrown: unknown[] = [];
    const log = pino({ level: 'error' }, { write: () => undefined });
    log.error = (line: { readonly err: unknown }) => void thrown.push(line.err);
    const http = memoryHttpApp({
      log,
      routes: [mediaFileRoute],
      resources: { ...RESOURCES, mediaStorage: storage },
      ...(stallSeconds !== undefined && { stallSeconds }),
    });
    const server = http.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, thrown, port: (server.address() as { port: number }).port };
  };

  it('a storage that fails in the middle cuts the answer and is logged as an error of the request', async () => {
    const broken = async function* () {
      yield Buffer.alloc(10);
      throw new Error('the disk is gone');
    };
    const storage = { ...createMediaStorage(), read: async () => ({ sizeBytes: 1000, bytes: Readable.from(broken()) }) };
    const { server, thrown, port } = await open(storage);
    await expect(request(`http://127.0.0.1:${port}`).get(`/media/${mediaKey(file)}`)).rejects.toThrow(/aborted|hang up/);
    await eventually(() => expect(thrown).toMatchObject([{ message: 'the disk is gone' }]));
    server.close();
  });

  it('if the caller disconnects before the storage answers, the file is closed and no error is logged', async () => {
    const heard = new EventEmitter();
    const [asked, gone] = [once(heard, 'asked'), once(heard, 'gone')];
    const bytes = Readable.from([Buffer.alloc(10)]);
    const read = async () => {
      heard.emit('asked');
      await gone;
      return { sizeBytes: 10, bytes };
    };
    const { server, thrown, port } = await open({ ...createMediaStorage(), read });
    server.on('connection', (served) => {
      served.on('close', () => {
        heard.emit('gone');
      });
    });
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /media/${mediaKey(file)} HTTP/1.1\r\nHost: x.test\r\n\r\n`);
    await asked;
    socket.destroy();
    await eventually(() => expect(bytes.destroyed).toBe(true));
    expect(thrown).toEqual([]);
    server.close();
  });

  it('a caller who stops reading is cut off, and the file is closed', async () => {
    let ended = false;
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(MEGABYTE));
      },
      destroy(_error, done) {
        ended = true;
        done(null);
      },
    });
    const storage = { ...createMediaStorage(), read: async () => ({ sizeBytes: 2 ** 40, bytes: endless }) };
    const { server, thrown, port } = await open(storage, 0.2);
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(`GET /media/${mediaKey(file)} HTTP/1.1\r\nHost: x.test\r\n\r\n`);
    await eventually(() => expect(ended).toBe(true));
    expect(thrown).toEqual([]);
    socket.destroy();
    server.close();
  });
});
