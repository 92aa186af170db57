import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { freeMediaFiles } from '../../src/application/media/free-media-files.ts';
import { mediaKey } from '../../src/domain/media/media-file.ts';
import type { FileRecord, KnownFile } from '../../src/domain/ports/media/media-file-repository.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import { referTo } from '../contract/media-file-repository.contract.ts';
import { awaitLockWaits } from '../support/lock-waits.ts';
import { call } from '../support/server.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const MEDIA_URL = 'http://localhost:4000/media';
const HOUR_AGO = "now() - interval '61 minutes'";

let app: OpenApp;
let directory: string;
let local: string;
let ports: Ports;
let store: TestStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenon-media-'));
  local = await mkdtemp(join(tmpdir(), 'tenon-local-'));
  app = await openApp({ ROLE: 'api', MEDIA_STORAGE: directory, MEDIA_URL });
  ports = app.container.resolve(TOKENS.ports);
  store = await app.aStore();
});
afterAll(async () => {
  await app.close();
  await Promise.all([directory, local].map((folder) => rm(folder, { recursive: true })));
});

interface Image {
  /** The record of the first announcement of the file. */
  readonly record?: FileRecord;
  readonly file: KnownFile;
  readonly path: string;
}

/** A picture that lies there as a fetch leaves it. */
const anImage = async (): Promise<Image> => {
  const bytes = randomBytes(100);
  const path = join(local, randomUUID());
  await writeFile(path, bytes);
  const key = mediaKey({ storeId: store.id, sha256: createHash('sha256').update(bytes).digest('hex'), extension: 'png' });
  return { path, file: { storeId: store.id, key, contentType: 'image/png', sizeBytes: 100, width: 1, height: 1 } };
};

/** The first half of an import: the file is known, then it is there. */
const keepFile = async ({ file, path }: Image): Promise<FileRecord> => {
  const record = await ports.mediaFiles.announce(file);
  await ports.mediaStorage.put(file.key, path, file.contentType);
  return record;
};

/** Makes it as old as if it had been announced an hour ago. */
const age = async ({ file }: Image): Promise<void> => {
  await app.database.query(`UPDATE media_files SET touched_at = ${HOUR_AGO} WHERE key = $1`, [file.key]);
};

/** An old file that nobody refers to. */
const aForsaken = async (): Promise<Image> => {
  const image = await anImage();
  const record = await keepFile(image);
  await age(image);
  return { ...image, record };
};

const isKept = async ({ file }: Image): Promise<boolean> => (await ports.mediaStorage.size(file.key)) !== null;
const isKnown = async ({ file }: Image): Promise<boolean> =>
  (await app.database.query('SELECT FROM media_files WHERE key = $1', [file.key])).length > 0;
const free = (image: Image): Promise<boolean> => ports.mediaFiles.free(MEDIA_URL, image.file, ports.mediaStorage.remove);
const round = (): Promise<number> => freeMediaFiles(ports, { mediaUrl: MEDIA_URL, stopping: new AbortController().signal })();

describe("deleting a product's last reference", () => {
  it('removes its file from the disk, and it is no longer served', async () => {
    const image = await aForsaken();
    const other = await aForsaken();
    const media = (url: string, { file }: Image) => [{ url, storageKey: file.key, contentType: 'image/png' }];
    const [first = '', second = ''] = await app.importProducts(store, [
      { name: 'Saw', media: media('https://cdn.test/1.png', image) },
      { name: 'Plane', media: [...media('https://cdn.test/2.png', image), ...media('https://cdn.test/3.png', other)] },
    ]);
    const url = `${app.url}/media/${image.file.key}`;
    const remove = async (id: string) => (await app.admin('delete', `/admin/stores/${store.id}/products/${id}`)).status;

    await round();
    expect((await call(url, 'GET')).status).toBe(200);
    expect(await remove(first)).toBe(204);
    await round();
    expect((await call(url, 'GET')).status).toBe(200);
    expect(await remove(second)).toBe(204);
    expect(await round()).toBe(2);
    expect((await call(url, 'GET')).status).toBe(404);
    expect(await readdir(join(directory, store.id))).not.toContain(image.file.key.split('/')[1]);
    expect(await isKnown(image)).toBe(false);
    expect(await round()).toBe(0);
  });

  it('removes the file when a product no longer uses it', async () => {
    const image = await aForsaken();
    const media = [{ url: 'https://cdn.test/chisel.png', storageKey: image.file.key, contentType: 'image/png' }];
    const id = (await app.importProducts(store, [{ name: 'Chisel', media }])).at(-1);
    expect(await round()).toBe(0);
    await app.importProducts(store, [{ id, name: 'Chisel', media: [] }]);
    expect(await round()).toBe(1);
    expect(await isKept(image)).toBe(false);
  });
});

describe('a round', () => {
  it('continues where the last one ended, also after a file that cannot be removed', async () => {
    const images = await Promise.all(Array.from({ length: 5 }, aForsaken));
    const [stuck, ...others] = images.toSorted((a, b) => (a.file.key < b.file.key ? -1 : 1));
    const failing = new Error('the disk is gone');
    const remove = (key: string) => (key === stuck?.file.key ? Promise.reject(failing) : ports.mediaStorage.remove(key));
    const mediaStorage = { ...ports.mediaStorage, remove };
    const next = freeMediaFiles(
      { ...ports, mediaStorage },
      { mediaUrl: MEDIA_URL, stopping: new AbortController().signal, batch: 2 },
    );
    await expect(next()).rejects.toBe(failing);
    const freed = [await next(), await next(), await next()];
    expect(freed.reduce((sum, n) => sum + n)).toBe(4);
    expect(await Promise.all(others.map(isKept))).toEqual([false, false, false, false]);
    expect(await isKept(stuck!)).toBe(true);
    expect(await round()).toBe(1);
  });
  it('starts nothing after the node stops', async () => {
    const image = await aForsaken();
    expect(await freeMediaFiles(ports, { mediaUrl: MEDIA_URL, stopping: AbortSignal.abort() })()).toBe(0);
    expect(await isKept(image)).toBe(true);
    expect(await round()).toBe(1);
  });
});

describe('removal and import of the same file', () => {
  it('a file whose import is about to commit stays', async () => {
    const image = await aForsaken();
    await ports.transaction.run(null, async (tx) => {
      expect(await tx.mediaFiles.keep(store.id, image.file.key, image.record ?? null)).toBe(true);
      // The media is not there yet, for anyone else.
      expect(await free(image)).toBe(false);
      expect(await isKept(image)).toBe(true);
    });
    await referTo({ ports, ids: ports.ids }, store.id, image.file.key);
    expect(await free(image)).toBe(false);
    expect(await isKept(image)).toBe(true);
  });

  it('a file whose import commits between the check and the lock is checked again and stays', async () => {
    const image = await aForsaken();
    const { files } = await ports.mediaFiles.unused(MEDIA_URL, null, 10_000);
    expect(files.map(({ key }) => key)).toContain(image.file.key);
    await referTo({ ports, ids: ports.ids }, store.id, image.file.key);
    expect(await free(image)).toBe(false);
    expect(await isKept(image)).toBe(true);
  });

  it('an import that begins during the removal waits for its end and stores the file again', async () => {
    const image = await aForsaken();
    const steps: string[] = [];
    const importing = { kept: Promise.resolve(true), announced: Promise.resolve() };
    const freed = await ports.mediaFiles.free(MEDIA_URL, image.file, async (key) => {
      importing.kept = ports.transaction.run(null, (tx) => tx.mediaFiles.keep(store.id, key, image.record ?? null));
      importing.announced = keepFile(image).then(() => void steps.push('stored again'));
      await awaitLockWaits(app.database, 2);
      await ports.mediaStorage.remove(key);
      steps.push('removed');
    });
    expect(freed).toBe(true);
    // The import that announced the file long ago learns that it must announce it again, possibly after the other's announcement.
    expect(typeof (await importing.kept)).toBe('boolean');
    await importing.announced;
    expect(steps).toEqual(['removed', 'stored again']);
    expect(await isKept(image)).toBe(true);
    expect(await isKnown(image)).toBe(true);
    expect(await free(image)).toBe(false);
  });

  it('an import whose file was removed after more than an hour learns it before it commits', async () => {
    const image = await aForsaken();
    expect(await free(image)).toBe(true);
    expect(await ports.transaction.run(null, (tx) => tx.mediaFiles.keep(store.id, image.file.key, image.record ?? null))).toBe(
      false,
    );
  });

  it('if two nodes remove the same file, one does and the other skips it', async () => {
    const image = await aForsaken();
    let other: boolean | undefined;
    const freed = await ports.mediaFiles.free(MEDIA_URL, image.file, async () => {
      other = await free(image);
    });
    expect([freed, other]).toEqual([true, false]);
  });

  it('if a node loses the lock during the removal, the next round removes the file', async () => {
    const image = await aForsaken();
    const cut = ports.mediaFiles.free(MEDIA_URL, image.file, async (key) => {
      await ports.mediaStorage.remove(key);
      const ended = await app.database.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
      );
      expect(ended).toHaveLength(1);
    });
    await expect(cut).rejects.toThrow();
    expect(await isKnown(image)).toBe(true);
    expect(await free(image)).toBe(true);
    expect(await isKnown(image)).toBe(false);
  });

  it('after many concurrent imports, deletions and rounds, exactly the referenced files exist', async () => {
    const images = await Promise.all(Array.from({ length: 4 }, anImage));
    /**
     * Announces and stores the file. Then one transaction checks that it is still known and refers
     * to it; otherwise it starts again.
     */
    const importOnce = async (image: Image): Promise<string> => {
      const record = await keepFile(image);
      // The upload seems to have taken an hour.
      if (randomInt(2) === 0) await age(image);
      const product = await ports.transaction.run(null, async (tx) => {
        if (!(await tx.mediaFiles.keep(store.id, image.file.key, record))) return null;
        return referTo(
          { ports: { ...ports, transaction: { ...ports.transaction, run: (_cause, work) => work(tx) } }, ids: ports.ids },
          store.id,
          image.file.key,
        );
      });
      return product ?? importOnce(image);
    };
    let [freed, over] = [0, false];
    const sweep = async (): Promise<void> => {
      const removed = await round();
      // Not in one line: what others have added meanwhile would be lost.
      freed += removed;
    };
    const importAndDelete = async (image: Image): Promise<void> => {
      for (let k = 0; k < 8; k += 1) {
        const product = await importOnce(image);
        expect(await isKept(image)).toBe(true);
        await ports.transaction.run(null, (tx) => tx.products.remove(store.id, product, '2026-03-01T00:00:00.000Z'));
        await age(image);
        // The rounds beside it may all miss the moment.
        if (k % 2 === 1) await sweep();
      }
    };
    const sweeping = Array.from({ length: 2 }, async () => {
      while (!over) await sweep();
    });
    // Each image by two at once.
    const imported = await Promise.allSettled([...images, ...images].map(importAndDelete));
    over = true;
    await Promise.all(sweeping);
    expect(imported.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(freed).toBeGreaterThan(0);
    await importOnce(images[0]!);
    await Promise.all(images.map(age));
    await round();
    expect(await Promise.all(images.map(isKept))).toEqual([true, false, false, false]);
    expect(await Promise.all(images.map(isKnown))).toEqual([true, false, false, false]);
  });
});
