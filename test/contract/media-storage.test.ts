import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openMediaStorage } from '../../src/adapters/outgoing/media/media-storage.ts';
import { createS3Storage } from '../../src/adapters/outgoing/media/s3-storage.ts';
import { createMediaStorage } from '../memory/media/media-storage.ts';
import { StartFailure } from '../../src/adapters/startup/start-failure.ts';
import { StorageUnavailable, type MediaStorage } from '../../src/domain/ports/media/media-storage.ts';
import { eventually } from '../support/eventually.ts';
import { startS3, type TestS3 } from '../support/s3.ts';
import { aFile, mediaStorageContract, textOf, type LocalFile } from './media-storage.contract.ts';

mediaStorageContract('memory', async () => {
  const storage = createMediaStorage();
  return { storage, disable: async () => storage.disable(), close: async () => undefined };
});

mediaStorageContract('outgoing: a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tenon-media-'));
  return {
    storage: await openMediaStorage({ directory }, 'us-east-1'),
    disable: async () => {
      await rm(directory, { recursive: true });
      await mkdir(directory);
    },
    close: () => rm(directory, { recursive: true }),
  };
});

mediaStorageContract('outgoing: S3', async () => {
  const s3 = await startS3('media');
  return {
    storage: await openMediaStorage({ endpoint: s3.endpoint, bucket: 'media' }, 'us-east-1'),
    disable: s3.close,
    close: s3.close,
  };
});

const unavailable = async (work: Promise<unknown>, message: RegExp): Promise<void> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageUnavailable);
  expect((error as Error).message).toMatch(message);
  // An error of the SDK holds its request, which would be logged with it.
  expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/AWS4-HMAC|authorization/i);
};

const openFilesOf = async (path: string): Promise<number> => {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((link) => link.startsWith(path)).length;
};

describe('a media directory', () => {
  let folder: string;
  let root: string;
  let storage: MediaStorage;
  let file: LocalFile;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-media-'));
    root = join(folder, 'deep', 'media');
    storage = await openMediaStorage({ directory: root }, '');
    file = await aFile(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('lays a file at its key, and leaves no draft of it', async () => {
    await storage.put(file.key, file.path, 'image/png');
    expect((await readdir(root, { recursive: true })).toSorted()).toEqual(['drafts', dirname(file.key), file.key].toSorted());
  });
  it.each([
    ['the next put of the file', (key: string, path: string) => storage.put(key, path, 'image/png')],
    ['its removal', (key: string) => storage.remove(key)],
  ])('a draft that a kill left is removed by %s, and no other', async (_, act) => {
    const draft = file.key.replace('/', '.');
    for (const name of [`${draft}.dead`, 'other']) await writeFile(join(root, 'drafts', name), 'half');
    await act(file.key, file.path);
    expect(await readdir(join(root, 'drafts'))).toEqual(['other']);
  });
  it('a file that is freed while it is put is put again', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const put = storage.put(file.key, pipe, 'image/png');
    const isBegun = () => eventually(async () => expect(await readdir(join(root, 'drafts'))).toHaveLength(1));
    await isBegun();
    await storage.remove(file.key);
    await writeFile(pipe, 'lost');
    await isBegun();
    await writeFile(pipe, 'kept');
    await put;
    expect(await textOf(await storage.read(file.key))).toBe('kept');
    expect(await readdir(join(root, 'drafts'))).toEqual([]);
  });
  it('a read during repeated puts returns nothing or the complete file', async () => {
    const large = await aFile(folder, Buffer.alloc(2_000_000, 'x'));
    const over = new AbortController();
    const puts = Promise.all(
      [0, 1, 2].map(async () => {
        for (let k = 0; k < 10; k += 1) await storage.put(large.key, large.path, 'image/png');
      }),
    ).finally(() => {
      over.abort();
    });
    const seen = new Set<number | null>();
    while (!over.signal.aborted) seen.add((await textOf(await storage.read(large.key)))?.length ?? null);
    await puts;
    expect([...seen].filter((length) => length !== null)).toEqual([2_000_000]);
    expect(await readdir(join(root, 'drafts'))).toEqual([]);
  });
  it('where a file cannot be written it is a clear error, and no draft stays', async () => {
    await writeFile(join(root, dirname(file.key)), 'a file, where the folder of the store belongs');
    await unavailable(
      storage.put(file.key, file.path, 'image/png'),
      new RegExp(`^the media directory ${root} cannot be used: ENOTDIR`),
    );
    expect(await readdir(join(root, 'drafts'))).toEqual([]);
  });
  it('one that is not mounted any more: a clear error, and nothing is made in its place or believed to be gone', async () => {
    await storage.put(file.key, file.path, 'image/png');
    await rename(root, `${root}.away`);
    await mkdir(root);
    await unavailable(storage.put(file.key, file.path, 'image/png'), /ENOENT/);
    await unavailable(storage.remove(file.key), /ENOENT/);
    await unavailable(storage.read(file.key), /ENOENT/);
    await unavailable(storage.size(file.key), /ENOENT/);
    expect(await readdir(root)).toEqual([]);
  });
  it('one that may not be created and does not exist is a clear error, and nothing is made in its place', async () => {
    const away = join(folder, 'away', 'media');
    const opened = openMediaStorage({ directory: away }, '', { mayCreate: false });
    await expect(opened).rejects.toBeInstanceOf(StartFailure);
    await expect(opened).rejects.toThrow(`The media directory ${away} does not exist.`);
    expect(await readdir(folder)).not.toContain('away');
    await openMediaStorage({ directory: root }, '', { mayCreate: false });
  });
  it('a text that is not a key is refused', async () => {
    for (const key of ['../outside.png', 'drafts/x', `${file.key}/..`, `/${file.key}`]) {
      await expect(storage.put(key, file.path, 'image/png')).rejects.toThrow(/is not the key of a media file/);
      await expect(storage.size(key)).rejects.toThrow(/is not the key of a media file/);
      await expect(storage.read(key)).rejects.toThrow(/is not the key of a media file/);
      await expect(storage.remove(key)).rejects.toThrow(/is not the key of a media file/);
    }
  });
  it('a file that is left in the middle keeps no descriptor', async () => {
    const large = await aFile(folder, Buffer.alloc(4_000_000));
    await storage.put(large.key, large.path, 'image/png');
    const bytes = (await storage.read(large.key))!.bytes[Symbol.asyncIterator]();
    await bytes.next();
    expect(await openFilesOf(root)).toBe(1);
    await bytes.return?.();
    await eventually(async () => expect(await openFilesOf(root)).toBe(0));
  });
  it.each([
    [
      'a file',
      () => file.path,
      /^The media directory .* cannot be written: EEXIST.*\. Set MEDIA_STORAGE to a folder that you own\.$/,
    ],
    ['below a file', () => join(file.path, 'media'), /ENOTDIR/],
    ['where the system takes no folder', () => '/proc/tenon', /ENOENT/],
  ])('%s stops the start with one line', async (_, path, message) => {
    const opened = openMediaStorage({ directory: path() }, '');
    await expect(opened).rejects.toBeInstanceOf(StartFailure);
    await expect(opened).rejects.toThrow(message);
  });
});

describe('a media bucket', () => {
  let folder: string;
  let s3: TestS3;
  let file: LocalFile;
  const servers: Server[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-files-'));
    s3 = await startS3('media');
    file = await aFile(folder);
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    await s3.close();
    await rm(folder, { recursive: true });
  });
  /** Something that listens, and does this with what comes. */
  const listening = async (serve: (socket: Socket) => void): Promise<string> => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      serve(socket);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  };
  const open = (endpoint: string, requestSeconds?: number): MediaStorage =>
    createS3Storage({ endpoint, bucket: 'media', region: 'us-east-1', ...(requestSeconds && { requestSeconds }) });

  it('stores the type and the cache time with the file, for clients of the bucket', async () => {
    const storage = open(s3.endpoint);
    await storage.put(file.key, file.path, 'image/png');
    const answer = await fetch(`${s3.endpoint}/media/${file.key}`, { headers: { 'x-amz-date': 'x' } });
    await answer.arrayBuffer();
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    await storage.close();
  });
  it('a put that is cut off in the middle is tried again, with the file from its beginning', async () => {
    let cut = 0;
    const endpoint = await listening((socket) => {
      if (cut < 2) {
        socket.once('data', () => {
          cut += 1;
          socket.destroy();
        });
        return;
      }
      const upstream = connect(Number(new URL(s3.endpoint).port), '127.0.0.1');
      upstream.on('error', () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    const large = await aFile(folder, Buffer.alloc(3_000_000, 'y'));
    const storage = open(endpoint);
    await storage.put(large.key, large.path, 'image/png');
    expect(cut).toBe(2);
    expect(await textOf(await storage.read(large.key))).toBe(large.bytes.toString());
    expect(await openFilesOf(large.path)).toBe(0);
    await storage.close();
  });
  it('one that takes everything and answers nothing is given up, and keeps no descriptor', async () => {
    let connections = 0;
    const storage = open(await listening((socket) => void (socket.resume(), (connections += 1))), 0.3);
    const message = /^the media bucket media of http:\/\/127.0.0.1:\d+ cannot be used: .*300 ms requestTimeout/;
    await Promise.all([
      unavailable(storage.put(file.key, file.path, 'image/png'), message),
      unavailable(storage.size(file.key), message),
      unavailable(storage.read(file.key), message),
      unavailable(storage.remove(file.key), message),
    ]);
    expect(connections).toBeGreaterThanOrEqual(4);
    await eventually(async () => expect(await openFilesOf(file.path)).toBe(0));
    await storage.close();
  });
  it('one that is not there is a clear error', async () => {
    const storage = createS3Storage({ endpoint: s3.endpoint, bucket: 'other', region: 'us-east-1' });
    const message = /^the media bucket other of .* cannot be used: NoSuchBucket The specified bucket does not exist$/;
    await unavailable(storage.put(file.key, file.path, 'image/png'), message);
    await unavailable(storage.read(file.key), message);
    await storage.close();
  });
  it('an endpoint that nothing listens on is a clear error', async () => {
    const storage = open('http://127.0.0.1:1');
    await unavailable(storage.put(file.key, file.path, 'image/png'), /ECONNREFUSED/);
    await unavailable(storage.size(file.key), /ECONNREFUSED/);
    await storage.close();
  });
});
