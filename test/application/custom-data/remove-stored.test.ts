import { beforeEach, describe, expect, it } from 'vitest';

import { customDataUses } from '../../../src/application/custom-data/index.ts';
import { MAX_REMOVED_WITH_TYPE } from '../../../src/domain/custom-data/metaobject.ts';
import { notFound, ok } from '../../../src/domain/result.ts';
import { rowsOf } from '../../memory/custom-data/kept-entries.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

let state: MemoryState;
let use: ReturnType<typeof customDataUses>;
let ids: string[];

const events = () => [...table<{ type: string; origin: string | null; data: object }>(state, 'events').values()];
const put = async (installationId: string, handle: string): Promise<string> => {
  const caller = { storeId: 'store', installationId, scopes: ['write_metaobjects'] as const };
  const put = await use.putEntry(null, caller, 'chart', { handle, fields: {} });
  return put.ok ? put.value.id : expect.fail(put.message);
};
const handles = () => [...rowsOf(state).values()].map(({ entry }) => entry.handle);

beforeEach(async () => {
  state = createMemoryState();
  use = customDataUses(openMemoryPorts({}, state));
  table(state, 'stores').set('store', { id: 'store' });
  const install = (id: string, status: string) => table(state, 'installations').set(id, { id, storeId: 'store', status });
  for (const id of ['app', 'paused', 'ended']) install(id, 'Installed');
  await use.putDefinition('store', 'chart', { name: 'Chart', fields: [{ key: 'hex', type: 'color' }] });
  ids = [await put('app', 'a'), await put('paused', 'b'), await put('ended', 'c')];
  install('paused', 'Suspended');
  install('ended', 'Uninstalled');
  table(state, 'events').clear();
});

describe('an entry that the merchant deletes', () => {
  it.each([
    ['app', 0],
    ['ended', 2],
  ])('may be of any installation, which gets the event: %s', async (origin, index) => {
    const id = ids[index] ?? '';
    expect(await use.removeEntry(null, 'store', 'chart', id)).toEqual(ok(null));
    expect(handles()).toHaveLength(2);
    expect(events()).toMatchObject([{ type: 'metaobject.deleted', origin, data: { id, origin: null } }]);
    expect(await use.removeEntry(null, 'store', 'chart', id)).toEqual(notFound('Entry'));
    expect(events()).toHaveLength(1);
  });
});

describe('a type that the merchant deletes', () => {
  const remove = (entries: number, type = 'chart') => use.removeDefinition(null, 'store', type, entries);

  it('goes with all of its entries, where their number is named, and each of an app that is not uninstalled has its event', async () => {
    expect(await remove(2)).toEqual(ok({ entries: 3 }));
    expect(handles()).toEqual([]);
    expect(await use.getDefinition('store', 'chart')).toEqual(notFound('Metaobject type'));
    expect(events().map(({ origin, data }) => ({ origin, data }))).toEqual([
      { origin: 'app', data: { id: ids[0], origin: null } },
      { origin: 'paused', data: { id: ids[1], origin: null } },
    ]);
  });
  it.each([0, 1, 3])('stays where another number is named: %i', async (entries) => {
    const message =
      'The type has 2 entries of apps that are not uninstalled. Nothing was deleted. entries=2 deletes the type with them.';
    expect(await remove(entries)).toMatchObject({ code: 'conflict', message });
    expect([handles().length, events()]).toEqual([3, []]);
  });
  it('is counted as one entry where it has one', async () => {
    await use.removeEntry(null, 'store', 'chart', ids[1] ?? '');
    expect(await remove(0)).toMatchObject({ message: expect.stringContaining('has 1 entry of apps') as string });
  });
  it('stays with more entries than may go at once', async () => {
    const [[, row] = ['', undefined]] = rowsOf(state);
    if (!row) return expect.fail('there is no entry');
    const add = (n: number) => rowsOf(state).set(`more ${n}`, { ...row, entry: { ...row.entry, id: `more ${n}` } });
    for (let n = 2; n < MAX_REMOVED_WITH_TYPE; n += 1) add(n);
    const most = ids.length + MAX_REMOVED_WITH_TYPE - 2;
    add(0);
    expect(await remove(MAX_REMOVED_WITH_TYPE + 1)).toMatchObject({
      code: 'conflict',
      message: 'The type has more than 10,000 entries of apps that are not uninstalled. Nothing was deleted.',
    });
    rowsOf(state).delete('more 0');
    expect(await remove(MAX_REMOVED_WITH_TYPE)).toEqual(ok({ entries: most }));
  });
  it('is not found where the store does not have it', async () => {
    expect(await remove(0, 'other')).toEqual(notFound('Metaobject type'));
  });
});

describe('an export', () => {
  it('has all entries, 200 at a time', async () => {
    for (let n = 0; n < 198; n += 1) await put('app', `h${n}`);
    const pages = await use.exportEntries('store', 'chart');
    if (!pages.ok) return expect.fail(pages.message);
    const sizes: number[] = [];
    const seen = new Set<string>();
    for await (const page of pages.value) {
      sizes.push(page.length);
      for (const { id } of page) seen.add(id);
    }
    expect([sizes, seen.size]).toEqual([[200, 1], 201]);
  });
  it('of a type without entries is empty', async () => {
    await use.putDefinition('store', 'empty', { name: 'Empty', fields: [{ key: 'hex', type: 'color' }] });
    const pages = await use.exportEntries('store', 'empty');
    if (!pages.ok) return expect.fail(pages.message);
    for await (const _ of pages.value) expect.fail('there is a page');
  });
});
