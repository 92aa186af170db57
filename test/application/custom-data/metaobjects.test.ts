import { beforeEach, describe, expect, it } from 'vitest';

import { createMemoryPorts } from '../../memory/index.ts';
import { createPatternMatcher } from '../../memory/pattern-matcher.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import { listEntries } from '../../../src/application/custom-data/list-entries.ts';
import { putDefinition } from '../../../src/application/custom-data/put-definition.ts';
import { putEntry } from '../../../src/application/custom-data/put-entry.ts';
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
  return { putDefinition: putDefinition(ports), putEntry: putEntry(ports), listEntries: listEntries(ports) };
};
const events = () => [...table<{ type: string; origin: string; data: object }>(state, 'events').values()];
const define = (fields: { key: string; type: string; required?: boolean }[]) =>
  use.putDefinition(storeId, 'chart', { name: 'Chart', fields });
const put = (fields: object, caller = app, handle = 'linen') => use.putEntry(null, caller, 'chart', { handle, fields });

beforeEach(async () => {
  state = createMemoryState();
  table(state, 'stores').set(storeId, {});
  table(state, 'categories').set(`${storeId}/${category}`, { deletedAt: null });
  use = open();
  await define([{ key: 'hex', type: 'color' }]);
});

describe('put an entry', () => {
  it('404: no such type in this store', async () => {
    for (const type of ['nothing', 'no type', '\0']) {
      expect(await use.putEntry(null, app, type, { handle: 'a', fields: {} })).toMatchObject({ ok: false, code: 'not_found' });
    }
    expect(await use.putEntry(null, { ...app, storeId: 'elsewhere' }, 'chart', { handle: 'a', fields: {} })).toMatchObject({
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
