import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Definition, EntryContent } from '../../src/domain/custom-data/metaobject.ts';
import type { MetaobjectWrites } from '../../src/domain/ports/metaobject-repository.ts';
import { ids } from '../support/custom-data-world.ts';
import type { CustomDataWorld } from '../support/custom-data-world.ts';

const { storeA, storeB, appA, otherA } = ids;

const aDefinition = (type: string, name = 'Chart'): Definition => ({
  type,
  name,
  fields: [{ key: 'hex', name: 'Hex', type: 'color', required: true, list: false, validations: {} }],
});
const content: EntryContent = {
  fields: { hex: '#f4ede0', data: { b: 1, a: [true, 'x'] } },
  translations: { de: { fields: { hex: '#000000' }, seoTitle: 'T', seoDescription: null } },
  publishedAt: '2026-01-01T00:00:00.000Z',
  seoTitle: 'Linen',
  seoDescription: null,
};

/** `waits`: whether a lock held by one transaction makes another wait; the double of the tests runs one at a time. */
export const metaobjectRepositoryContract = (
  name: string,
  open: () => Promise<CustomDataWorld>,
  { waits }: { waits: boolean },
) => {
  describe(`MetaobjectRepository on ${name}`, () => {
    let world: CustomDataWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    const within = <T>(work: (metaobjects: MetaobjectWrites) => Promise<T>): Promise<T> =>
      world.transaction.run((tx) => work(tx.metaobjects));
    const place = (type: string, handle = 'linen', installationId = appA) => ({ storeId: storeA, installationId, type, handle });
    const put = (type: string, handle?: string, more: Partial<EntryContent> = {}, installationId?: string) =>
      within((metaobjects) => metaobjects.putEntry(place(type, handle, installationId), { ...content, ...more }, world.nextId()));
    const define = (type: string) => within((metaobjects) => metaobjects.putDefinition(storeA, aDefinition(type)));

    it('creates or replaces the definition; null when the store has no such type', async () => {
      expect(await within((metaobjects) => metaobjects.shareDefinition(storeA, 'made'))).toBeNull();
      expect(await within((metaobjects) => metaobjects.lockDefinition(storeA, 'made'))).toBeNull();
      expect(await define('made')).toBe(true);
      expect(await within((metaobjects) => metaobjects.shareDefinition(storeA, 'made'))).toEqual(aDefinition('made'));
      await within((metaobjects) => metaobjects.putDefinition(storeA, aDefinition('made', 'New')));
      expect(await within((metaobjects) => metaobjects.lockDefinition(storeA, 'made'))).toEqual(aDefinition('made', 'New'));
      expect(await within((metaobjects) => metaobjects.shareDefinition(storeB, 'made'))).toBeNull();
    });

    it('false, and nothing is written, when there is no such store', async () => {
      expect(await within((metaobjects) => metaobjects.putDefinition(ids.nowhere, aDefinition('made')))).toBe(false);
    });

    it('creates the entry under the new id or replaces the whole one that stands there, which keeps its id', async () => {
      await define('put');
      const created = await put('put');
      expect(created).toEqual({
        change: 'created',
        entry: {
          ...content,
          id: expect.any(String),
          installationId: appA,
          type: 'put',
          handle: 'linen',
          createdAt: expect.any(String),
          updatedAt: null,
        },
      });
      const updated = await put('put', 'linen', { fields: {}, translations: null, publishedAt: null, seoTitle: null });
      expect(updated).toMatchObject({
        change: 'updated',
        entry: { id: created.entry.id, fields: {}, translations: null, publishedAt: null, seoTitle: null },
      });
      expect(updated.entry.updatedAt).not.toBeNull();
    });

    it('what is equal stays unchanged, updatedAt too', async () => {
      await define('same');
      const { entry } = await put('same');
      expect(await put('same', 'linen', { fields: { data: { a: [true, 'x'], b: 1 }, hex: '#f4ede0' } })).toEqual({
        change: 'unchanged',
        entry,
      });
    });

    it('unique per store, installation, type and handle, so apps cannot collide or probe', async () => {
      await define('mine');
      const one = await put('mine');
      const other = await put('mine', 'linen', {}, otherA);
      expect([one.change, other.change]).toEqual(['created', 'created']);
      expect(other.entry.id).not.toBe(one.entry.id);
    });

    it("a page of the type's entries of every installation by creation, then id; null when the store has no such type", async () => {
      await define('listed');
      const entries = [];
      for (const handle of ['c', 'a', 'b']) entries.push((await put('listed', handle, {}, handle === 'a' ? otherA : appA)).entry);
      const page = await world.metaobjects.list(storeA, 'listed', { skip: 0, take: 10 });
      expect(page).toMatchObject({ skip: 0, take: 10, total: 3 });
      expect([...(page?.items ?? [])].sort((x, y) => x.handle.localeCompare(y.handle))).toEqual([
        entries[1],
        entries[2],
        entries[0],
      ]);
      expect(await world.metaobjects.list(storeA, 'listed', { skip: 2, take: 10 })).toMatchObject({
        items: [page?.items[2]],
        total: 3,
      });
      expect(await world.metaobjects.list(storeB, 'listed', { skip: 0, take: 10 })).toBeNull();
    });

    it('up to `limit` entries of the type, of every installation, whose ids come after `after`, by id', async () => {
      await define('walked');
      for (const handle of ['a', 'b', 'c']) await put('walked', handle);
      const all = await within((metaobjects) => metaobjects.entriesAfter(storeA, 'walked', null, 10));
      expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort());
      expect(await within((metaobjects) => metaobjects.entriesAfter(storeA, 'walked', all[0]?.id ?? null, 1))).toEqual([all[1]]);
    });

    it('those of the references whose target the store has and the owner may see: nothing deleted, of the entries only its own', async () => {
      await define('referred');
      const { entry } = await put('referred');
      const category = (id: string) => ({ kind: 'category' as const, id, key: 'c' });
      const references = [
        category(ids.categoryA),
        category(ids.deletedCategoryA),
        category(ids.categoryB),
        { kind: 'metaobject' as const, id: entry.id, key: 'm' },
        ...(['product', 'variant', 'collection', 'media', 'metaobject'] as const).map((kind) => ({
          kind,
          id: ids.nowhere,
          key: 'x',
        })),
      ];
      const seenBy = (installationId: string) =>
        within((metaobjects) => metaobjects.existing({ storeId: storeA, installationId }, references));
      expect(await seenBy(appA)).toEqual([references[0], references[3]]);
      expect(await seenBy(otherA)).toEqual([references[0]]);
      expect(await within((metaobjects) => metaobjects.existing({ storeId: storeA, installationId: appA }, []))).toEqual([]);
    });

    it.runIf(waits)('no definition changes while one shares it, nor is shared while one has it locked', async () => {
      await define('guarded');
      const steps: string[] = [];
      let locking: Promise<unknown> = Promise.resolve();
      await within(async (metaobjects) => {
        await metaobjects.shareDefinition(storeA, 'guarded');
        locking = within(async (others) => {
          await others.lockDefinition(storeA, 'guarded');
          steps.push('locked');
        });
        await within((others) => others.shareDefinition(storeA, 'made'));
        steps.push('shared');
      });
      await locking;
      expect(steps).toEqual(['shared', 'locked']);
    });
  });
};
