import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { StorageUnavailable, type MediaStorage, type StoredFile } from '../../src/domain/ports/media/media-storage.ts';
import { mediaKey } from '../../src/domain/media/media-file.ts';
import { beforeAll } from './hooks.ts';

export interface StorageWorld {
  readonly storage: MediaStorage;
  /** Makes the storage unusable. */
  disable(): Promise<void>;
  close(): Promise<void>;
}

export interface LocalFile {
  readonly key: string;
  readonly path: string;
  readonly bytes: Buffer;
}

export const textOf = async (file: StoredFile | null): Promise<string | null> => {
  if (file === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
};

/** A local file, named by its bytes. */
export const aFile = async (folder: string, bytes: Buffer = randomBytes(1000)): Promise<LocalFile> => {
  const path = join(folder, randomUUID());
  await writeFile(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { key: mediaKey({ storeId: randomUUID(), sha256, extension: 'png' }), path, bytes };
};

const MEGABYTE = 1_048_576;

export const mediaStorageContract = (name: string, open: () => Promise<StorageWorld>): void => {
  describe(`MediaStorage on ${name}`, () => {
    let folder: string;
    let world: StorageWorld;
    let storage: MediaStorage;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tenon-files-'));
      world = await open();
      ({ storage } = world);
    });
    afterAll(async () => {
      await storage.close();
      await world.close();
      await rm(folder, { recursive: true });
    });
    const put = async (bytes?: Buffer): Promise<LocalFile> => {
      const file = await aFile(folder, bytes);
      await storage.put(file.key, file.path, 'image/png');
      return file;
    };

    describe('put', () => {
      describe('Stores the complete local file under the key.', () => {
        it('with all byte values', async () => {
          const every = await put(Buffer.from(Array.from({ length: 65_536 }, (_, k) => k % 256)));
          expect(await textOf(await storage.read(every.key))).toBe(every.bytes.toString('latin1'));
        });
        it('of 20 MiB, which stays where it is', async () => {
          const large = await put(randomBytes(20 * MEGABYTE));
          await rm(large.path);
          expect(await storage.size(large.key)).toBe(20 * MEGABYTE);
          const kept = await textOf(await storage.read(large.key));
          expect(kept === large.bytes.toString('latin1')).toBe(true);
        });
      });
      it('Has the same result when it is repeated.', async () => {
        const file = await put();
        await storage.put(file.key, file.path, 'image/png');
        expect(await textOf(await storage.read(file.key))).toBe(file.bytes.toString('latin1'));
      });
      it('Has the same result when it is called several times at once.', async () => {
        const file = await aFile(folder, randomBytes(MEGABYTE));
        await Promise.all(Array.from({ length: 8 }, () => storage.put(file.key, file.path, 'image/png')));
        expect(await textOf(await storage.read(file.key))).toBe(file.bytes.toString('latin1'));
      });
      it('Stores nothing when the local file cannot be read.', async () => {
        const { key, path } = await aFile(folder);
        await expect(storage.put(key, `${path}.gone`, 'image/png')).rejects.toThrow(/ENOENT/);
        expect(await storage.size(key)).toBeNull();
        expect(await storage.read(key)).toBeNull();
      });
      it('Rejects with StorageUnavailable when the storage cannot be used.', async () => {
        const broken = await open();
        const file = await aFile(folder);
        await broken.disable();
        await expect(broken.storage.put(file.key, file.path, 'image/png')).rejects.toBeInstanceOf(StorageUnavailable);
        await broken.storage.close();
        await broken.close();
      });
    });

    describe('size', () => {
      it('Returns the size of the file in bytes.', async () => {
        const { key } = await put(randomBytes(1234));
        expect(await storage.size(key)).toBe(1234);
      });
      it('Returns null when the file does not exist.', async () => {
        const { key } = await put();
        expect(await storage.size(key.replace('.png', '.gif'))).toBeNull();
      });
    });

    describe('read', () => {
      it('Returns the bytes of the file, with its size.', async () => {
        const { key } = await put(Buffer.from('whole'));
        const file = await storage.read(key);
        expect(file?.sizeBytes).toBe(5);
        expect(await textOf(file)).toBe('whole');
      });
      it.each([
        [0, 3, '0123'],
        [4, 4, '4'],
        [7, 9, '789'],
        [0, 9, '0123456789'],
      ])('Returns a range of the bytes, with the size of the whole file: %s', async (start, end, text) => {
        const { key } = await put(Buffer.from('0123456789'));
        const file = await storage.read(key, { start, end });
        expect(file?.sizeBytes).toBe(10);
        expect(await textOf(file)).toBe(text);
      });
      it('Returns null when the file does not exist.', async () => {
        const key = (await put()).key.replace('.png', '.gif');
        expect(await storage.read(key)).toBeNull();
        expect(await storage.read(key, { start: 0, end: 3 })).toBeNull();
      });
      it('The caller can stop before the end.', async () => {
        const file = await put(randomBytes(4 * MEGABYTE));
        for await (const chunk of (await storage.read(file.key))!.bytes) {
          expect(chunk.length).toBeGreaterThan(0);
          break;
        }
        expect(await storage.size(file.key)).toBe(4 * MEGABYTE);
        expect((await textOf(await storage.read(file.key)))?.length).toBe(4 * MEGABYTE);
      });
    });

    describe('remove', () => {
      it('Removes the file.', async () => {
        const [gone, stays] = [await put(), await put()];
        await storage.remove(gone.key);
        expect(await storage.read(gone.key)).toBeNull();
        expect(await storage.size(gone.key)).toBeNull();
        expect(await textOf(await storage.read(stays.key))).toBe(stays.bytes.toString('latin1'));
      });
      it('Does nothing when the file does not exist.', async () => {
        const file = await put();
        await storage.remove(file.key);
        await storage.remove(file.key);
        await storage.put(file.key, file.path, 'image/png');
        expect(await storage.size(file.key)).toBe(1000);
      });
      it('Rejects with StorageUnavailable when the storage cannot be used.', async () => {
        const broken = await open();
        const { key } = await aFile(folder);
        await broken.disable();
        await expect(broken.storage.remove(key)).rejects.toBeInstanceOf(StorageUnavailable);
        await broken.storage.close();
        await broken.close();
      });
    });

    describe('close', () => {
      it('Closes the storage, also while a file is being read.', async () => {
        const own = await open();
        const file = await aFile(folder, randomBytes(4 * MEGABYTE));
        await own.storage.put(file.key, file.path, 'image/png');
        const bytes = (await own.storage.read(file.key))!.bytes[Symbol.asyncIterator]();
        await bytes.next();
        await expect(own.storage.close()).resolves.toBeUndefined();
        await bytes.return?.();
        await own.close();
      });
    });
  });
};
