import { afterAll, describe, expect, it } from 'vitest';

import type { Definition, EntryContent, FieldDefinition, FieldType, Reference } from '../../src/domain/custom-data/metaobject.ts';
import type { TransactionPorts } from '../../src/domain/ports/index.ts';
import type { EntryRange, MetaobjectWrites } from '../../src/domain/ports/custom-data/metaobject-repository.ts';
import { beforeAll } from './hooks.ts';
import { ids, type CustomDataWorld } from './custom-data-world.ts';
import { lockOrder, WAITS } from './lock-order.ts';

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

export const metaobjectRepositoryContract = (name: string, open: () => Promise<CustomDataWorld>) => {
  describe(`MetaobjectRepository on ${name}`, () => {
    let world: CustomDataWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    const within = <T>(work: (metaobjects: MetaobjectWrites) => Promise<T>): Promise<T> =>
      world.transaction.run(null, (tx) => work(tx.metaobjects));
    const place = (type: string, handle = 'linen', installationId = appA) => ({ storeId: storeA, installationId, type, handle });
    const put = (type: string, handle?: string, more: Partial<EntryContent> = {}, installationId?: string) =>
      within((metaobjects) => metaobjects.putEntry(place(type, handle, installationId), { ...content, ...more }, world.nextId()));
    const share = (type: string) => within((metaobjects) => metaobjects.shareDefinition(storeA, type));
    const define = (type: string) => within((metaobjects) => metaobjects.putDefinition(storeA, aDefinition(type)));

    describe('shareDefinition', () => {
      it('Returns the definition.', async () => {
        await define('shared');
        expect(await share('shared')).toEqual(aDefinition('shared'));
      });
      it('Keeps other transactions from locking it until this one ends, but not from sharing it.', async () => {
        await define('guarded');
        const order = await lockOrder(
          world.transaction,
          async (tx) => {
            await tx.metaobjects.shareDefinition(storeA, 'guarded');
            expect(await share('guarded')).toEqual(aDefinition('guarded'));
          },
          (tx) => tx.metaobjects.lockDefinition(storeA, 'guarded'),
        );
        expect(order).toEqual(WAITS);
      });
      it('Returns null when the store has no such type.', async () => {
        await define('elsewhere');
        expect(await share('undefined')).toBeNull();
        expect(await within((metaobjects) => metaobjects.shareDefinition(storeB, 'elsewhere'))).toBeNull();
      });
    });

    describe('lockDefinition', () => {
      const lock = (type: string) => within((metaobjects) => metaobjects.lockDefinition(storeA, type));
      it('Returns the definition.', async () => {
        await define('locked');
        expect(await lock('locked')).toEqual(aDefinition('locked'));
      });
      it.each(['shareDefinition', 'lockDefinition'] as const)(
        'Keeps other transactions from sharing or locking the definition until this one ends: %s',
        async (method) => {
          await define('defined');
          const order = await lockOrder(
            world.transaction,
            (tx) => tx.metaobjects.lockDefinition(storeA, 'defined'),
            (tx) => tx.metaobjects[method](storeA, 'defined'),
          );
          expect(order).toEqual(WAITS);
        },
      );
      it('Keeps them from locking the type, also when it is not defined yet.', async () => {
        const lockNew = (tx: TransactionPorts) => tx.metaobjects.lockDefinition(storeA, 'not_yet');
        expect(await lockOrder(world.transaction, lockNew, lockNew)).toEqual(WAITS);
      });
      it('Returns null when the store has no such type.', async () => {
        expect(await lock('undefined')).toBeNull();
      });
    });

    describe('putDefinition', () => {
      it('Creates or replaces the definition.', async () => {
        expect(await define('made')).toBe(true);
        expect(await share('made')).toEqual(aDefinition('made'));
        await within((metaobjects) => metaobjects.putDefinition(storeA, aDefinition('made', 'New')));
        expect(await share('made')).toEqual(aDefinition('made', 'New'));
      });
      it('Returns false and writes nothing when the store does not exist.', async () => {
        expect(await within((metaobjects) => metaobjects.putDefinition(ids.nowhere, aDefinition('made')))).toBe(false);
        expect(await within((metaobjects) => metaobjects.shareDefinition(ids.nowhere, 'made'))).toBeNull();
      });
    });

    describe('putEntry', () => {
      it('Creates the entry with the new id.', async () => {
        await define('put');
        const id = world.nextId();
        const created = await within((metaobjects) => metaobjects.putEntry(place('put'), content, id));
        expect(created).toEqual({
          change: 'created',
          entry: {
            ...content,
            ...{ id, installationId: appA, type: 'put', handle: 'linen' },
            createdAt: expect.any(String),
            updatedAt: null,
          },
        });
      });

      it('Replaces the content of an existing entry, which keeps its id.', async () => {
        await define('replaced');
        const { entry } = await put('replaced');
        const updated = await put('replaced', 'linen', { fields: {}, translations: null, publishedAt: null, seoTitle: null });
        expect(updated).toMatchObject({
          change: 'updated',
          entry: { id: entry.id, fields: {}, translations: null, publishedAt: null, seoTitle: null },
        });
        expect(updated.entry.updatedAt).not.toBeNull();
      });

      it('Leaves an entry with equal content unchanged, with its updatedAt.', async () => {
        await define('same');
        const { entry } = await put('same');
        expect(await put('same', 'linen', { fields: { data: { a: [true, 'x'], b: 1 }, hex: '#f4ede0' } })).toEqual({
          change: 'unchanged',
          entry,
        });
      });

      it('Two installations can have entries with the same type and handle.', async () => {
        await define('mine');
        const one = await put('mine');
        const other = await put('mine', 'linen', {}, otherA);
        expect([one.change, other.change]).toEqual(['created', 'created']);
        expect(other.entry.id).not.toBe(one.entry.id);
      });
    });

    describe('list', () => {
      it("Returns a page of the type's entries of all installations by creation, then id.", async () => {
        await define('listed');
        const entries = [];
        for (const handle of ['c', 'a', 'b'])
          entries.push((await put('listed', handle, {}, handle === 'a' ? otherA : appA)).entry);
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
      });
      it('Returns null when the store has no such type.', async () => {
        await define('of_a');
        expect(await world.metaobjects.list(storeA, 'undefined', { skip: 0, take: 10 })).toBeNull();
        expect(await world.metaobjects.list(storeB, 'of_a', { skip: 0, take: 10 })).toBeNull();
      });
    });

    describe('listOwn', () => {
      const owner = { storeId: storeA, installationId: appA };
      const [saw, plane] = [ids.nowhere, ids.categoryA];
      const handles = async (type: string, range: Partial<EntryRange> = {}, installationId = appA) => {
        const entries = await world.metaobjects.listOwn({ ...owner, installationId }, type, { after: null, limit: 10, ...range });
        return entries?.map(({ handle }) => handle);
      };
      it("Returns the installation's entries of the type in the range, by handle.", async () => {
        await define('own');
        await define('own_other');
        for (const handle of ['c', 'a', 'b']) await put('own', handle);
        await put('own', 'a', {}, otherA);
        await put('own_other', 'd');
        const { entry } = await put('own', 'b', { fields: {} });
        expect(await handles('own')).toEqual(['a', 'b', 'c']);
        expect(await handles('own', { after: 'a', limit: 1 })).toEqual(['b']);
        expect(await world.metaobjects.listOwn(owner, 'own', { after: 'a', limit: 1 })).toEqual([entry]);
        expect(await handles('own', { after: 'c' })).toEqual([]);
        expect(await handles('own', {}, otherA)).toEqual(['a']);
      });
      it('Finds a product in the fields that are of products now, alone or in a list, and in no other.', async () => {
        const field = (key: string, type: FieldType, list = false) => ({
          key,
          name: key,
          type,
          required: false,
          list,
          validations: {},
        });
        const fields = [
          field('one', 'product_reference'),
          field('some', 'product_reference', true),
          field('text', 'single_line_text'),
        ];
        const define = (defined: readonly FieldDefinition[]) =>
          within((metaobjects) => metaobjects.putDefinition(storeA, { ...aDefinition('refers'), fields: defined }));
        await define([...fields, field('data', 'json')]);
        await put('refers', 'alone', { fields: { one: saw } });
        await put('refers', 'listed', { fields: { some: [plane, saw] } });
        await put('refers', 'other', { fields: { one: plane } });
        await put('refers', 'text', { fields: { text: saw, data: [saw] } });
        await put('refers', 'nothing', { fields: {} });
        await put('refers', 'alone', { fields: { one: saw } }, otherA);
        expect(await handles('refers', { product: saw })).toEqual(['alone', 'listed']);
        expect(await handles('refers', { product: saw, after: 'alone' })).toEqual(['listed']);
        expect(await handles('refers', { product: saw, limit: 1 })).toEqual(['alone']);
        await define([{ ...fields[0]!, type: 'single_line_text' }, ...fields.slice(1), field('data', 'json')]);
        expect(await handles('refers', { product: saw })).toEqual(['listed']);
      });
      it('Returns null when the store has no such type.', async () => {
        await define('empty');
        expect(await handles('undefined')).toBeUndefined();
        expect(await handles('undefined', { product: saw })).toBeUndefined();
        expect(await handles('empty')).toEqual([]);
        expect(await world.metaobjects.listOwn({ ...owner, storeId: storeB }, 'empty', { after: null, limit: 1 })).toBeNull();
      });
    });

    describe('find', () => {
      it('Returns the entry.', async () => {
        await define('found');
        const { entry } = await put('found');
        expect(await world.metaobjects.find(place('found'))).toEqual(entry);
      });
      it('Returns null when the installation does not have it.', async () => {
        await define('missed');
        await put('missed', 'linen', {}, otherA);
        for (const there of [place('missed'), place('missed', 'other', otherA), place('undefined', 'linen', otherA)])
          expect(await world.metaobjects.find(there)).toBeNull();
        expect(await world.metaobjects.find({ ...place('missed', 'linen', otherA), storeId: storeB })).toBeNull();
      });
    });

    describe('lockEntry', () => {
      const lock = (type: string) => within((metaobjects) => metaobjects.lockEntry(place(type)));
      it('Returns the entry.', async () => {
        await define('held');
        const { entry } = await put('held');
        expect(await lock('held')).toEqual(entry);
      });
      it.each(['lockEntry', 'putEntry', 'deleteEntry'] as const)(
        'Keeps other transactions from locking, replacing or deleting it until this one ends: %s',
        async (method) => {
          await define('kept');
          await put('kept');
          const there = place('kept');
          const work = {
            lockEntry: (tx: TransactionPorts) => tx.metaobjects.lockEntry(there),
            putEntry: (tx: TransactionPorts) => tx.metaobjects.putEntry(there, { ...content, seoTitle: 'Other' }, world.nextId()),
            deleteEntry: (tx: TransactionPorts) => tx.metaobjects.deleteEntry(there),
          };
          expect(await lockOrder(world.transaction, work.lockEntry, work[method])).toEqual(WAITS);
        },
      );
      it('Returns null when the installation does not have it.', async () => {
        await define('unheld');
        await put('unheld', 'linen', {}, otherA);
        expect(await lock('unheld')).toBeNull();
      });
    });

    describe('deleteEntry', () => {
      it('Deletes the entry.', async () => {
        await define('gone');
        await put('gone');
        await put('gone', 'other');
        await within((metaobjects) => metaobjects.deleteEntry(place('gone')));
        expect(await world.metaobjects.find(place('gone'))).toBeNull();
        expect(await world.metaobjects.find(place('gone', 'other'))).not.toBeNull();
      });
      it('The entries of other installations stay.', async () => {
        await define('theirs');
        await put('theirs', 'linen', {}, otherA);
        await within((metaobjects) => metaobjects.deleteEntry(place('theirs')));
        expect(await world.metaobjects.find(place('theirs', 'linen', otherA))).not.toBeNull();
      });
    });

    describe('entriesAfter', () => {
      it('Returns at most `limit` entries of the type, of all installations, with ids after `after`, by id.', async () => {
        await define('walked');
        for (const handle of ['a', 'b', 'c']) await put('walked', handle, {}, handle === 'b' ? otherA : appA);
        const all = await within((metaobjects) => metaobjects.entriesAfter(storeA, 'walked', null, 10));
        expect(all).toHaveLength(3);
        expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort());
        expect(await within((metaobjects) => metaobjects.entriesAfter(storeA, 'walked', all[0]?.id ?? null, 1))).toEqual([
          all[1],
        ]);
      });
    });

    describe('existing', () => {
      const seenBy = (installationId: string, references: readonly Reference[]) =>
        within((metaobjects) => metaobjects.existing({ storeId: storeA, installationId }, references));
      it('Returns the references to live targets of the store.', async () => {
        const category = (id: string) => ({ kind: 'category' as const, id, key: 'c' });
        const unknown = (['product', 'variant', 'collection', 'media', 'metaobject'] as const).map((kind) => ({
          kind,
          id: ids.nowhere,
          key: 'x',
        }));
        const [live, ...others] = [ids.categoryA, ids.deletedCategoryA, ids.categoryB].map(category);
        expect(await seenBy(appA, [...others, live!, ...unknown])).toEqual([live]);
        expect(await seenBy(appA, [])).toEqual([]);
      });
      it('Leaves out references to entries of other installations.', async () => {
        await define('referred');
        const { entry } = await put('referred');
        const reference = { kind: 'metaobject' as const, id: entry.id, key: 'm' };
        expect(await seenBy(appA, [reference])).toEqual([reference]);
        expect(await seenBy(otherA, [reference])).toEqual([]);
      });
    });
  });
};
