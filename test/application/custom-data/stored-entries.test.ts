import { beforeEach, describe, expect, it } from 'vitest';

import { productsOf } from '../../memory/catalogue/catalogue-tables.ts';
import { eventsOf } from '../../memory/webhooks/event-repository.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import { deleteEntry } from '../../../src/application/custom-data/delete-entry.ts';
import { customDataLookups } from '../../../src/application/custom-data/lookups.ts';
import { putDefinition } from '../../../src/application/custom-data/put-definition.ts';
import { putEntry } from '../../../src/application/custom-data/put-entry.ts';
import type { Entry } from '../../../src/domain/custom-data/metaobject.ts';
import type { FieldInput } from '../../../src/domain/custom-data/metaobject-definition.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import type { TransactionPorts } from '../../../src/domain/ports/index.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const TYPE_NOT_FOUND = { ok: false, code: 'not_found', message: 'Metaobject type not found.' };
const ENTRY_NOT_FOUND = { ok: false, code: 'not_found', message: 'Entry not found.' };
const PAGE = { skip: 0, take: 10 };

let state: MemoryState;
let world: MemoryWorld;
let app: Caller;
let other: Caller;

type Metaobjects = TransactionPorts['metaobjects'];

/** The world with another repository of metaobjects in its transactions. */
const worldWith = (change: (metaobjects: Metaobjects) => Partial<Metaobjects>): MemoryWorld => {
  const run: MemoryWorld['transaction']['run'] = (cause, work) =>
    world.transaction.run(cause, (tx) => work({ ...tx, metaobjects: { ...tx.metaobjects, ...change(tx.metaobjects) } }));
  return { ...world, transaction: { ...world.transaction, run } };
};
const define = (fields: FieldInput[], ports = world) => putDefinition(ports)(app.storeId, 'chart', { name: 'Chart', fields });
const put = async (handle: string, fields: object, caller = app): Promise<Entry> => {
  const kept = await putEntry(world)(null, caller, 'chart', { handle, fields });
  return kept.ok ? kept.value : expect.fail(JSON.stringify(kept.errors));
};

const anApp = async (storeId: string): Promise<Caller> => {
  const [id, scopes] = [world.ids.next(), ['write_metaobjects'] as const];
  const secrets = {
    clientSecret: { id: world.ids.next(), hash: '00' },
    signingSecret: { id: world.ids.next(), sealed: 'sealed' },
  };
  await world.installations.create({ id, storeId, name: 'App', clientId: id, scopes, ...secrets });
  return { storeId, installationId: id, scopes };
};

beforeEach(async () => {
  state = createMemoryState();
  world = openMemoryPorts({}, state);
  const storeId = world.ids.next();
  await world.stores.create({ id: storeId, domain: 'a.test', name: 'A', currency: 'EUR' });
  app = await anApp(storeId);
  other = await anApp(storeId);
  await define([{ key: 'f', type: 'single_line_text' }]);
});

describe('a text that cannot be a type', () => {
  it('is not found, and not looked up', async () => {
    const never = () => expect.fail('the database was asked');
    const offline = {
      ...world,
      metaobjects: { list: never, listOwn: never, find: never },
      transaction: { ...world.transaction, run: never },
    };
    for (const type of ['no type', '\0', '']) {
      expect(await customDataLookups(offline).listEntries(app.storeId, type, PAGE)).toEqual(TYPE_NOT_FOUND);
      expect(await putEntry(offline)(null, app, type, { handle: 'a', fields: {} })).toEqual(TYPE_NOT_FOUND);
      expect(await customDataLookups(offline).listOwnEntries(app, type, { after: null, take: 1 })).toEqual(TYPE_NOT_FOUND);
      expect(await customDataLookups(offline).getEntry(app, type, 'a')).toEqual(ENTRY_NOT_FOUND);
      expect(await deleteEntry(offline)(null, app, { type, handle: 'a' }, null)).toEqual(ENTRY_NOT_FOUND);
    }
  });
  it('is not found when the store has no such type either', async () => {
    expect(await customDataLookups(world).listEntries(app.storeId, 'nothing', PAGE)).toEqual(TYPE_NOT_FOUND);
    expect(await putEntry(world)(null, app, 'nothing', { handle: 'a', fields: {} })).toEqual(TYPE_NOT_FOUND);
  });
});

describe('the event of an entry', () => {
  it('has the entry as data, with its origin and without times', async () => {
    const { createdAt: _, updatedAt: __, installationId: ___, ...entry } = await put('one', { f: 'a' });
    await put('one', { f: 'b' });
    const common = { storeId: app.storeId, resourceId: entry.id, origin: app.installationId };
    const data = { ...entry, origin: app.installationId };
    expect([...eventsOf(state).values()]).toMatchObject([
      { ...common, type: 'metaobject.created' },
      { ...common, type: 'metaobject.updated' },
    ]);
    expect([...eventsOf(state).values()].map((event) => event.data)).toStrictEqual([data, { ...data, fields: { f: 'b' } }]);
  });
});

describe('a changed definition', () => {
  it('of an unknown store is not found', async () => {
    expect(await putDefinition(world)(world.ids.next(), 'chart', { name: 'Chart', fields: [] })).toEqual({
      ok: false,
      code: 'not_found',
      message: 'Store not found.',
    });
  });
  it('that is invalid is refused before any database work', async () => {
    const offline = { ...world, transaction: { ...world.transaction, run: () => expect.fail('the database was asked') } };
    expect(await define([{ key: 'f', type: 'text' }], offline)).toMatchObject({ ok: false, code: 'invalid' });
  });
  it('is refused with the entry that it would make invalid, and every rule of its first field', async () => {
    const { id } = await put('one', { f: 'ab' });
    const validations = { maxLength: 1, regex: '^x' };
    expect(await define([{ key: 'f', type: 'single_line_text', validations }])).toEqual({
      ok: false,
      code: 'conflict',
      message: `The stored entry one (${id}) would become invalid: fields.f must have at most 1 characters; must match ^x.`,
    });
    // The definition is as before.
    expect(await put('two', { f: 'abc' })).toMatchObject({ fields: { f: 'abc' } });
  });
  it.each([
    ['integer', '12', 12],
    ['date_time', '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000Z'],
    ['metaobject_reference', '019A0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000001'],
  ])('to %s is refused with an entry that has %j, which the type keeps as %j', async (type, given, kept) => {
    const { id } = await put('one', { f: given });
    expect(await define([{ key: 'f', type }])).toEqual({
      ok: false,
      code: 'conflict',
      message: `The stored entry one (${id}) would become invalid: fields.f is not spelt as its new type keeps it.`,
    });
    expect(await put('one', { f: String(kept) })).toMatchObject({ id, fields: { f: String(kept) } });
  });
  it('of another field is accepted with a value that an earlier version kept in another spelling', async () => {
    const { id } = await put('one', { f: 'a' });
    await define([
      { key: 'f', type: 'single_line_text' },
      { key: 'n', type: 'integer' },
    ]);
    const entries = table<Entry>(state, 'metaobject_entries');
    for (const [key, entry] of entries) if (entry.id === id) entries.set(key, { ...entry, fields: { f: 'a', n: '12' } });
    const fields = [
      { key: 'f', type: 'multi_line_text' },
      { key: 'n', type: 'integer' },
    ];
    expect(await define(fields)).toMatchObject({ ok: true });
  });
  it('can have a pattern that every entry matches', async () => {
    await put('one', { f: 'ab' });
    expect(await define([{ key: 'f', type: 'single_line_text', validations: { regex: '^a' } }])).toMatchObject({ ok: true });
  });
  it('is compared with all entries, 200 at a time', async () => {
    const reads = new Map<string | null, number>();
    const reading = worldWith(({ entriesAfter }) => ({
      entriesAfter: (storeId, type, after, limit) => {
        reads.set(after, limit);
        return entriesAfter(storeId, type, after, limit);
      },
    }));
    const entries: Entry[] = [];
    for (let n = 0; n < 200; n += 1) entries.push(await put(`h${n}`, { f: 'a' }));
    expect(await define([{ key: 'f', type: 'single_line_text', validations: { maxLength: 2 } }], reading)).toMatchObject({
      ok: true,
    });
    expect([...reads]).toEqual([
      [null, 200],
      [entries.at(-1)?.id, 200],
    ]);
    reads.clear();
    await put('last', { f: 'ab' });
    expect(await define([{ key: 'f', type: 'single_line_text', validations: { maxLength: 1 } }], reading)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('The stored entry last ') as string,
    });
    expect(reads.size).toBe(2);
  });
  it('looks nothing up unless a field becomes one of references', async () => {
    await define([
      { key: 'f', type: 'single_line_text' },
      { key: 'p', type: 'product_reference' },
    ]);
    const product = world.ids.next();
    productsOf(state).set(`${app.storeId}/${product}`, {
      id: product,
      tenantId: app.storeId,
      deletedAt: null,
    } as never);
    await put('one', { p: product });
    productsOf(state).clear();
    const blind = worldWith(() => ({ existing: () => expect.fail('references were looked up') }));
    const fields = [
      { key: 'f', type: 'multi_line_text' },
      { key: 'p', type: 'product_reference', name: 'Product' },
    ];
    expect(await define(fields, blind)).toMatchObject({ ok: true });
  });
  it("looks references up as the entry's app, which cannot name entries of others", async () => {
    const [target, theirs] = [await put('target', {}), await put('theirs', {}, other)];
    await put('one', { f: target.id });
    await put('one', { f: theirs.id }, other);
    const field = { key: 'f', type: 'metaobject_reference' };
    expect(await define([field])).toMatchObject({ ok: true });
    await define([{ key: 'f', type: 'single_line_text' }]);
    await put('two', { f: target.id }, other);
    expect(await define([field])).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`fields.f names metaobject ${target.id}, which does not exist.`) as string,
    });
  });
  it('can add a field of references, which no entry has yet', async () => {
    await put('one', { f: 'a' });
    table(state, 'products').clear();
    const fields = [
      { key: 'f', type: 'single_line_text' },
      { key: 'p', type: 'product_reference' },
    ];
    expect(await define(fields)).toMatchObject({ ok: true });
  });
});
