import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mediaKey } from '../../src/domain/media/media-file.ts';
import type { MediaStorage, StoredFile } from '../../src/domain/ports/media-storage.ts';

export interface StorageWorld {
  readonly storage: MediaStorage;
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

    it('keeps the local file under the key, whole, whatever bytes it has', async () => {
      const every = await put(Buffer.from(Array.from({ length: 65_536 }, (_, k) => k % 256)));
      expect(await textOf(await storage.read(every.key))).toBe(every.bytes.toString('latin1'));
    });
    it('keeps a file of 20 MiB, and leaves the local one where it is', async () => {
      const large = await put(randomBytes(20 * MEGABYTE));
      await rm(large.path);
      expect(await storage.size(large.key)).toBe(20 * MEGABYTE);
      const kept = await textOf(await storage.read(large.key));
      expect(kept === large.bytes.toString('latin1')).toBe(true);
    });
    it('again is the same as once', async () => {
      const file = await put();
      await storage.put(file.key, file.path, 'image/png');
      expect(await textOf(await storage.read(file.key))).toBe(file.bytes.toString('latin1'));
    });
    it('by many at once is the same as once', async () => {
      const file = await aFile(folder, randomBytes(MEGABYTE));
      await Promise.all(Array.from({ length: 8 }, () => storage.put(file.key, file.path, 'image/png')));
      expect(await textOf(await storage.read(file.key))).toBe(file.bytes.toString('latin1'));
    });
    it('a file that cannot be read is not kept', async () => {
      const { key, path } = await aFile(folder);
      await expect(storage.put(key, `${path}.gone`, 'image/png')).rejects.toThrow(/ENOENT/);
      expect(await storage.size(key)).toBeNull();
      expect(await storage.read(key)).toBeNull();
    });
    it('how many bytes there are under the key; null when it is not there', async () => {
      const { key } = await put(randomBytes(1234));
      expect(await storage.size(key)).toBe(1234);
      expect(await storage.size(key.replace('.png', '.gif'))).toBeNull();
    });
    it('the file, with the size of the whole; null when it is not there', async () => {
      const { key } = await put(Buffer.from('whole'));
      const file = await storage.read(key);
      expect(file?.sizeBytes).toBe(5);
      expect(await textOf(file)).toBe('whole');
      expect(await storage.read(key.replace('.png', '.gif'))).toBeNull();
    });
    it('a range of it, with the size of the whole; null when it is not there', async () => {
      const { key } = await put(Buffer.from('0123456789'));
      for (const [start, end, text] of [
        [0, 3, '0123'],
        [4, 4, '4'],
        [7, 9, '789'],
        [0, 9, '0123456789'],
      ] as const) {
        const file = await storage.read(key, { start, end });
        expect(file?.sizeBytes).toBe(10);
        expect(await textOf(file)).toBe(text);
      }
      expect(await storage.read(key.replace('.png', '.gif'), { start: 0, end: 3 })).toBeNull();
    });
    it('a file that is left in the middle can be read again', async () => {
      const file = await put(randomBytes(4 * MEGABYTE));
      for await (const chunk of (await storage.read(file.key))!.bytes) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(await storage.size(file.key)).toBe(4 * MEGABYTE);
      expect((await textOf(await storage.read(file.key)))?.length).toBe(4 * MEGABYTE);
    });
    it('removes the file, and no other', async () => {
      const [gone, stays] = [await put(), await put()];
      await storage.remove(gone.key);
      expect(await storage.read(gone.key)).toBeNull();
      expect(await storage.size(gone.key)).toBeNull();
      expect(await textOf(await storage.read(stays.key))).toBe(stays.bytes.toString('latin1'));
    });
    it('to remove one that is not there is no error, and it can be put again', async () => {
      const file = await put();
      await storage.remove(file.key);
      await storage.remove(file.key);
      await storage.put(file.key, file.path, 'image/png');
      expect(await storage.size(file.key)).toBe(1000);
    });
  });
};
