import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { saveProducts } from '../../src/application/catalogue/save-products.ts';
import type { FileId, FileRecord, KnownFile } from '../../src/domain/ports/media/media-file-repository.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import { beforeAll } from './hooks.ts';

export interface MediaFileWorld {
  readonly ports: Pick<Ports, 'transaction' | 'mediaFiles'>;
  readonly ids: Ids;
  aStore(): Promise<string>;
  /** The records of the store's files, with the seconds since each was announced. */
  files(storeId: string): Promise<readonly (KnownFile & { readonly age: number })[]>;
  /** Moves the announcements this many seconds back. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

const HOUR = 3600;
const MEDIA_URL = 'https://media.test/files';

/**
 * Saves a product with one media that has this storage key, as the merchant does. Returns its id.
 */
export const referTo = async (
  world: Pick<MediaFileWorld, 'ports' | 'ids'>,
  storeId: string,
  storageKey: string,
): Promise<string> => {
  const { ids, ports } = world;
  const clock = manualClock(Date.parse('2026-01-01T00:00:00.000Z'));
  const save = saveProducts({ clock, ids, transaction: ports.transaction });
  const media = [{ url: `https://cdn.test/${ids.next()}.png`, storageKey, contentType: 'image/png' }];
  const [saved] = await save(null, storeId, [{ name: 'Saw', slug: `saw-${ids.next()}`, media }]);
  if (!saved?.ok) expect.fail('the product was not saved');
  return saved.value.product.id;
};

export const mediaFileRepositoryContract = (name: string, open: () => Promise<MediaFileWorld>): void => {
  describe(`MediaFileRepository on ${name}`, () => {
    let world: MediaFileWorld;
    let file: KnownFile;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(() => {
      const storeId = world.ids.next();
      const key = `${storeId}/${'0f'.repeat(32)}.png`;
      file = { storeId, key, contentType: 'image/png', sizeBytes: 1234, width: 30, height: 20 };
    });
    const keep = (storeId: string, key: string, record: FileRecord): Promise<boolean> =>
      world.ports.transaction.run(null, (tx) => tx.mediaFiles.keep(storeId, key, record));
    const ages = async (): Promise<number[]> => (await world.files(file.storeId)).map(({ age }) => age);

    /** A file of a store with a catalogue, announced this many seconds ago. */
    const aged = async (seconds = HOUR + 1, storeId?: string): Promise<KnownFile & { readonly record: FileRecord }> => {
      const own = storeId ?? (await world.aStore());
      const known = { ...file, storeId: own, key: `${own}/${world.ids.next().replaceAll('-', '').repeat(2)}.png` };
      const record = await world.ports.mediaFiles.announce(known);
      await world.pass(seconds);
      return { ...known, record };
    };
    const idOf = ({ storeId, key }: KnownFile): FileId => ({ storeId, key });
    const removeProduct = (storeId: string, id: string): Promise<unknown> =>
      world.ports.transaction.run(null, ({ products }) => products.remove(storeId, id, '2026-03-01T00:00:00.000Z'));
    /** Finds the file unused by a walk over all files, and frees it only then. */
    const isFreed = async (known: KnownFile): Promise<boolean> => {
      const { files: unused, last } = await world.ports.mediaFiles.unused(MEDIA_URL, null, 1_000);
      expect(last).toBeNull();
      const removed: string[] = [];
      const freed = await world.ports.mediaFiles.free(MEDIA_URL, known, async (key) => void removed.push(key));
      expect(removed).toEqual(freed ? [known.key] : []);
      expect(unused.some(({ storeId, key }) => storeId === known.storeId && key === known.key)).toBe(freed);
      expect(await world.files(known.storeId)).toHaveLength(freed ? 0 : 1);
      return freed;
    };

    describe('announce', () => {
      it('Records a file before it is stored.', async () => {
        expect(await world.files(file.storeId)).toEqual([]);
        await world.ports.mediaFiles.announce(file);
        expect(await world.files(file.storeId)).toMatchObject([file]);
      });
      it('Returns the record, which stays until the file is freed.', async () => {
        const known = await aged();
        expect(known.record).toMatch(/^[0-9a-f-]{36}$/);
        expect(await world.ports.mediaFiles.announce(known)).toBe(known.record);
      });
      it('Records an announced file again, as announced now.', async () => {
        await world.ports.mediaFiles.announce(file);
        await world.pass(7200);
        expect((await ages())[0]).toBeGreaterThanOrEqual(7200);
        await world.ports.mediaFiles.announce(file);
        const [age, ...more] = await ages();
        expect(age).toBeLessThan(7200);
        expect(more).toEqual([]);
      });
      it('Waits while the file is being freed.', async () => {
        const known = await aged();
        const order: string[] = [];
        let announced: Promise<void> = Promise.resolve();
        await world.ports.mediaFiles.free(MEDIA_URL, known, async () => {
          announced = world.ports.mediaFiles.announce(known).then(() => void order.push('announced'));
          // More round trips than an announcement needs that does not wait.
          for (let trip = 0; trip < 20; trip += 1) await world.files(known.storeId);
          order.push('removed');
        });
        await announced;
        expect(order).toEqual(['removed', 'announced']);
        expect(await world.files(known.storeId)).toHaveLength(1);
      });
    });

    describe('unused', () => {
      describe('Looks at `limit` files by store and key, after `after` or from the first.', () => {
        it('sees each file once', async () => {
          const storeId = await world.aStore();
          const all: KnownFile[] = [];
          for (let k = 0; k < 5; k += 1) all.push(await aged(HOUR, storeId));
          await world.pass(1);
          const seen: FileId[] = [];
          let after: FileId | null = null;
          do {
            const { files, last }: Awaited<ReturnType<typeof world.ports.mediaFiles.unused>> =
              await world.ports.mediaFiles.unused(MEDIA_URL, after, 2);
            seen.push(...files.map(({ storeId: store, key }) => ({ storeId: store, key })));
            after = last;
          } while (after !== null);
          const own = seen.filter((found) => found.storeId === storeId);
          expect(own).toEqual(all.map(idOf).sort((a, b) => (a.key < b.key ? -1 : 1)));
        });
      });
      describe('Returns the files that were announced more than an hour ago and that no live media of their store refers to.', () => {
        it('without a media', async () => {
          expect(await isFreed(await aged())).toBe(true);
        });
        it('not within the hour', async () => {
          expect(await isFreed(await aged(HOUR - 60))).toBe(false);
        });
        it('with a media of another store, or of another file', async () => {
          const known = await aged();
          await referTo(world, await world.aStore(), known.key);
          await referTo(world, known.storeId, known.key.replace('.png', '.gif'));
          expect(await isFreed(known)).toBe(true);
        });
        it('once the last product that refers to it is deleted', async () => {
          const known = await aged();
          const first = await referTo(world, known.storeId, known.key);
          const second = await referTo(world, known.storeId, known.key);
          await removeProduct(known.storeId, first);
          expect(await isFreed(known)).toBe(false);
          await removeProduct(known.storeId, second);
          expect(await isFreed(known)).toBe(true);
        });
      });
      it('A media refers to a file by its storageKey: the key, or `mediaUrl` and the key.', async () => {
        for (const prefix of ['', `${MEDIA_URL}/`]) {
          const known = await aged();
          await referTo(world, known.storeId, `${prefix}${known.key}`);
          expect(await isFreed(known)).toBe(false);
        }
      });
      it('Returns in `last` where to continue, and null at the end.', async () => {
        const known = await aged();
        const { last } = await world.ports.mediaFiles.unused(MEDIA_URL, null, 1);
        expect(last).not.toBeNull();
        expect(
          await world.ports.mediaFiles.unused(MEDIA_URL, { storeId: 'ffffffff-ffff-4fff-8fff-ffffffffffff', key: 'z' }, 9),
        ).toEqual({
          files: [],
          last: null,
        });
        expect(await world.files(known.storeId)).toHaveLength(1);
      });
    });

    describe('free', () => {
      const free = (known: KnownFile) =>
        world.ports.mediaFiles.free(MEDIA_URL, known, () => expect.fail('nothing may be removed'));
      it('Calls `remove` for an unused file and deletes its record.', async () => {
        const known = await aged();
        const removed: string[] = [];
        expect(await world.ports.mediaFiles.free(MEDIA_URL, known, async (key) => void removed.push(key))).toBe(true);
        expect(removed).toEqual([known.key]);
        expect(await world.files(known.storeId)).toEqual([]);
      });
      it('Returns false and does nothing when the file is not unused any more.', async () => {
        const [freed, referred, announced] = [await aged(), await aged(), await aged()];
        expect(await isFreed(freed)).toBe(true);
        await referTo(world, referred.storeId, referred.key);
        await world.ports.mediaFiles.announce(announced);
        for (const known of [freed, referred, announced]) expect(await free(known)).toBe(false);
      });
      it('Returns false and does nothing while a transaction keeps the file.', async () => {
        const known = await aged();
        await world.ports.transaction.run(null, async (tx) => {
          await tx.mediaFiles.keep(known.storeId, known.key, known.record);
          expect(await free(known)).toBe(false);
        });
        expect(await isFreed(known)).toBe(true);
      });
      it('Keeps the record and rejects when `remove` rejects.', async () => {
        const known = await aged();
        const broken = new Error('the disk is broken');
        await expect(world.ports.mediaFiles.free(MEDIA_URL, known, () => Promise.reject(broken))).rejects.toBe(broken);
        expect(await world.files(known.storeId)).toHaveLength(1);
        expect(await isFreed(known)).toBe(true);
      });
    });

    describe('keep', () => {
      it('Keeps the file from being freed until the transaction ends.', async () => {
        const known = await aged();
        await world.ports.transaction.run(null, async (tx) => {
          expect(await tx.mediaFiles.keep(known.storeId, known.key, known.record)).toBe(true);
          const free = world.ports.mediaFiles.free(MEDIA_URL, known, () => expect.fail('nothing may be removed'));
          expect(await free).toBe(false);
        });
        expect(await isFreed(known)).toBe(true);
      });
      it('Does not keep others from announcing it or referring to it.', async () => {
        const record = await world.ports.mediaFiles.announce(file);
        await world.ports.transaction.run(null, async (tx) => {
          expect(await tx.mediaFiles.keep(file.storeId, file.key, record)).toBe(true);
          expect(await keep(file.storeId, file.key, record)).toBe(true);
          expect(await world.ports.mediaFiles.announce(file)).toBe(record);
        });
      });
      it('Returns false when the file has no record.', async () => {
        const record = await world.ports.mediaFiles.announce(file);
        for (const one of [record, null]) {
          expect(await keep(file.storeId, file.key.replace('.png', '.gif'), one)).toBe(false);
          expect(await keep(world.ids.next(), file.key, one)).toBe(false);
        }
      });
      it('Returns false when the file was freed since this record of it, also when another has announced it again.', async () => {
        const known = await aged();
        expect(await isFreed(known)).toBe(true);
        expect(await keep(known.storeId, known.key, known.record)).toBe(false);
        // The file is not stored yet.
        const record = await world.ports.mediaFiles.announce(known);
        expect(await keep(known.storeId, known.key, known.record)).toBe(false);
        expect(await keep(known.storeId, known.key, record)).toBe(true);
      });
    });
  });
};
