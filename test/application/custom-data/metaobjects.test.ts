import { beforeEach, describe, expect, it } from 'vitest';

import { createMemoryPorts } from '../../memory/index.ts';
import { createPatternMatcher } from '../../memory/pattern-matcher.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import { deleteEntry } from '../../../src/application/custom-data/delete-entry.ts';
import { customDataLookups } from '../../../src/application/custom-data/lookups.ts';
import { putDefinition } from '../../../src/application/custom-data/put-definition.ts';
import { putEntry } from '../../../src/application/custom-data/put-entry.ts';
import { INSTALLATION_GONE } from '../../../src/domain/identity/installation.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { judgedTransactions } from '../../support/judged-transactions.ts';

const storeId = 'store';
const app: Caller = { storeId, installationId: 'app', scopes: ['write_metaobjects'] };
const other: Caller = { ...app, installationId: 'other' };
const category = '019a0000-0000-7000-8000-00000000000a';

let state: MemoryState;
let use: ReturnType<typeof open>;
const open = () => {
  const clock = manualClock();
  const ids = sequentialIds();
  const ports = {
    ...judgedTransactions(createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state)),
    ids,
    patterns: createPatternMatcher(),
  };
  return {
    ...customDataLookups(ports),
    putDefinition: putDefinition(ports),
    putEntry: putEntry(ports),
    deleteEntry: deleteEntry(ports),
  };
};
const events = () => [...table<{ type: string; origin: string; data: object }>(state, 'events').values()];
const installed = (id: string, status: 'Installed' | 'Suspended' | 'Uninstalled', of = storeId) =>
  table(state, 'installations').set(id, { id, storeId: of, status });
const define = (fields: { key: string; type: string; required?: boolean }[]) =>
  use.putDefinition(storeId, 'chart', { name: 'Chart', fields });
const put = (fields: object, caller = app, handle = 'linen') => use.putEntry(null, caller, 'chart', { handle, fields });

beforeEach(async () => {
  state = createMemoryState();
  table(state, 'stores').set(storeId, {});
  for (const { installationId } of [app, other]) installed(installationId, 'Installed');
  table(state, 'categories').set(`${storeId}/${category}`, { deletedAt: null });
  use = open();
  await define([{ key: 'hex', type: 'color' }]);
});

describe('put an entry', () => {
  it('404: no such type in this store', async () => {
    for (const type of ['nothing', 'no type', '\0']) {
      expect(await use.putEntry(null, app, type, { handle: 'a', fields: {} })).toMatchObject({ ok: false, code: 'not_found' });
    }
    installed('far', 'Installed', 'elsewhere');
    const far = { ...app, storeId: 'elsewhere', installationId: 'far' };
    expect(await use.putEntry(null, far, 'chart', { handle: 'a', fields: {} })).toMatchObject({
      code: 'not_found',
    });
  });

  it('one metaobject.created, one metaobject.updated, none for a no-op', async () => {
    const created = await put({ hex: '#000000' });
    await put({ hex: '#000000' });
    await put({ hex: '#ffffff' }, app, 'LINEN');
    expect(created).toMatchObject({ ok: true, value: { handle: 'linen', installationId: 'app' } });
    expect(events().map(({ type, origin }) => [type, origin])).toEqual([
      ['metaobject.created', 'app'],
      ['metaobject.updated', 'app'],
    ]);
    expect(events()[1]?.data).toMatchObject({ type: 'chart', handle: 'linen', fields: { hex: '#ffffff' }, origin: 'app' });
  });

  it('an app sees and changes only its own entries', async () => {
    await put({ hex: '#000000' });
    await put({ hex: '#ffffff' }, other);
    const listed = await use.listEntries(storeId, 'chart', { skip: 0, take: 50 });
    expect(listed.ok && listed.value.items.map((entry) => [entry.installationId, entry.fields['hex']])).toEqual([
      ['app', '#000000'],
      ['other', '#ffffff'],
    ]);
  });

  it('401 when the app was uninstalled since its token was judged: nothing is written', async () => {
    installed('app', 'Uninstalled');
    expect(await put({ hex: '#000000' })).toEqual(INSTALLATION_GONE);
    expect(await use.getEntry(app, 'chart', 'linen')).toMatchObject({ code: 'not_found' });
    expect(events()).toEqual([]);
  });

  it('every fault is reported, and nothing is written', async () => {
    expect(await put({ hex: 'red', more: 1 }, app, 'no handle')).toMatchObject({
      code: 'invalid',
      errors: { 'fields.hex': expect.any(Array), 'fields.more': expect.any(Array), handle: expect.any(Array) },
    });
    expect(events()).toEqual([]);
  });

  it('the target of a reference must exist in the store', async () => {
    await define([{ key: 'in', type: 'category_reference' }]);
    expect(await put({ in: category })).toMatchObject({ ok: true });
    const missing = category.replace('0a', '0b');
    expect(await put({ in: missing })).toMatchObject({
      code: 'invalid',
      errors: { 'fields.in': [`names category ${missing}, which does not exist`] },
    });
  });

  it("another app's entry cannot be a target", async () => {
    await define([{ key: 'to', type: 'metaobject_reference' }]);
    const target = await put({}, other, 'target');
    const id = target.ok ? target.value.id : '';
    expect(await put({ to: id })).toMatchObject({ code: 'invalid' });
    expect(await put({ to: id }, other)).toMatchObject({ ok: true });
  });
});

describe('put an entry on a condition', () => {
  const entry = (handle = 'linen') => ({ handle, fields: { hex: '#ffffff' } });
  const stale = { ok: false, code: 'precondition_failed', message: 'The entry is not the one that If-Match names.' };

  it('is judged by the entry that exists', async () => {
    const created = await put({ hex: '#000000' });
    const seen: unknown[] = [];
    const replaced = await use.putEntry(null, app, 'chart', entry('LINEN'), (present) => seen.push(present) > 0);
    expect(replaced).toMatchObject({ ok: true, value: { fields: { hex: '#ffffff' } } });
    expect(seen[0]).toEqual(created.ok && created.value);
  });

  it('412 when it does not accept the entry, or none exists: nothing is written', async () => {
    await put({ hex: '#000000' });
    expect(await use.putEntry(null, app, 'chart', entry(), () => false)).toEqual(stale);
    expect(await use.putEntry(null, app, 'chart', entry('none'), (present) => present !== null)).toEqual(stale);
    expect(await use.putEntry(null, other, 'chart', entry(), (present) => present !== null)).toEqual(stale);
    expect(events()).toHaveLength(1);
    expect(await use.getEntry(app, 'chart', 'none')).toMatchObject({ code: 'not_found' });
  });
});

describe('get and list own entries', () => {
  it('an app reads its own, by any spelling of the handle', async () => {
    const created = await put({ hex: '#000000' });
    expect(await use.getEntry(app, 'chart', 'LINEN')).toEqual(created);
    expect(await use.getEntry(other, 'chart', 'linen')).toEqual({ ok: false, code: 'not_found', message: 'Entry not found.' });
    expect(await use.getEntry(app, 'chart', 'no handle')).toMatchObject({ code: 'not_found' });
  });

  it('a page says behind which handle the list continues, null at its end', async () => {
    for (const handle of ['c', 'a', 'b']) await put({}, app, handle);
    await put({}, other, 'd');
    const page = async (after: string | null, take: number) => {
      const listed = await use.listOwnEntries(app, 'chart', { after, take });
      return listed.ok && [listed.value.items.map(({ handle }) => handle), listed.value.next];
    };
    expect(await page(null, 2)).toEqual([['a', 'b'], 'b']);
    expect(await page('b', 2)).toEqual([['c'], null]);
    expect(await page(null, 3)).toEqual([['a', 'b', 'c'], null]);
  });

  it('404: no such type', async () => {
    for (const type of ['nothing', 'no type'])
      expect(await use.listOwnEntries(app, type, { after: null, take: 1 })).toMatchObject({ code: 'not_found' });
  });
});

describe('delete an entry', () => {
  it("deletes the caller's, with one metaobject.deleted", async () => {
    const created = await put({ hex: '#000000' });
    await put({ hex: '#000000' }, other);
    const id = created.ok ? created.value.id : '';
    expect(await use.deleteEntry(null, app, { type: 'chart', handle: 'LINEN' }, null)).toEqual({ ok: true, value: null });
    expect(events().slice(2)).toMatchObject([
      { storeId, type: 'metaobject.deleted', resourceId: id, origin: 'app', data: { id, origin: 'app' } },
    ]);
    expect(await use.getEntry(app, 'chart', 'linen')).toMatchObject({ code: 'not_found' });
    expect(await use.getEntry(other, 'chart', 'linen')).toMatchObject({ ok: true });
    const again = await put({ hex: '#000000' });
    expect(again.ok && again.value.id).not.toBe(id);
  });

  it('401 when the app was uninstalled since its token was judged: nothing is deleted', async () => {
    await put({ hex: '#000000' });
    installed('app', 'Uninstalled');
    expect(await use.deleteEntry(null, app, { type: 'chart', handle: 'linen' }, null)).toEqual(INSTALLATION_GONE);
    expect(await use.getEntry(app, 'chart', 'linen')).toMatchObject({ ok: true });
    expect(events()).toHaveLength(1);
  });

  it('404 for what does not exist, and 412 for what the condition does not accept: no event', async () => {
    await put({ hex: '#000000' });
    const at = { type: 'chart', handle: 'linen' };
    expect(await use.deleteEntry(null, other, at, null)).toMatchObject({ code: 'not_found' });
    expect(await use.deleteEntry(null, app, { ...at, handle: 'no handle' }, null)).toMatchObject({ code: 'not_found' });
    expect(await use.deleteEntry(null, app, at, () => false)).toMatchObject({ code: 'precondition_failed' });
    expect(events()).toHaveLength(1);
    expect(await use.deleteEntry(null, app, at, (entry) => entry?.fields['hex'] === '#000000')).toMatchObject({ ok: true });
  });
});

describe('put a definition', () => {
  it('404: no such store', async () => {
    expect(await use.putDefinition('elsewhere', 'chart', { name: 'Chart', fields: [] })).toMatchObject({ code: 'not_found' });
  });

  it('400: an invalid or unsupported pattern', async () => {
    const field = { key: 'f', type: 'single_line_text', validations: { regex: '(a)\\1' } };
    expect(await use.putDefinition(storeId, 'chart', { name: 'Chart', fields: [field] })).toMatchObject({
      code: 'invalid',
      errors: { 'fields.f': ['regex is invalid or unsupported'] },
    });
  });

  it.each([
    ['a field goes away', []],
    ['its type changes', [{ key: 'hex', type: 'integer' }]],
    [
      'another is required',
      [
        { key: 'hex', type: 'color' },
        { key: 'name', type: 'url', required: true },
      ],
    ],
  ])('a change that would make stored entries invalid: 409 (%s)', async (_, fields) => {
    await put({ hex: '#000000' }, other);
    expect(await define(fields)).toMatchObject({ code: 'conflict', message: expect.stringContaining('linen') });
    expect(await put({ hex: '#111111' })).toMatchObject({ ok: true });
  });

  it('409 when stored ids do not exist as the new kind', async () => {
    await define([{ key: 'in', type: 'category_reference' }]);
    await put({ in: category });
    expect(await define([{ key: 'in', type: 'product_reference' }])).toMatchObject({ code: 'conflict' });
    table(state, 'categories').clear();
    expect(
      await define([
        { key: 'in', type: 'category_reference' },
        { key: 'n', type: 'integer' },
      ]),
    ).toMatchObject({ ok: true });
  });

  it('what leaves the entries valid is taken', async () => {
    await put({ hex: '#000000' });
    expect(await define([{ key: 'hex', type: 'single_line_text', required: true }])).toMatchObject({ ok: true });
  });
});
