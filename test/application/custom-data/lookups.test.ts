import { beforeEach, describe, expect, it } from 'vitest';

import { deleteEntry } from '../../../src/application/custom-data/delete-entry.ts';
import { customDataLookups } from '../../../src/application/custom-data/lookups.ts';
import { putDefinition } from '../../../src/application/custom-data/put-definition.ts';
import { putEntry } from '../../../src/application/custom-data/put-entry.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import { MAX_SANDBOX_ENTRIES } from '../../../src/domain/identity/sandbox.ts';
import { notFound, refuse } from '../../../src/domain/result.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const app: Caller = { storeId: 'store', installationId: 'app', scopes: ['write_metaobjects'] };

let state: MemoryState;
let ports: MemoryWorld;
const put = (handle: string) => putEntry(ports)(null, app, 'chart', { handle, fields: {} });
const makeSandbox = () => table(state, 'stores').set('store', { id: 'store', sandboxAppId: 'an app' });

beforeEach(async () => {
  state = createMemoryState();
  ports = openMemoryPorts({}, state);
  table(state, 'stores').set('store', { id: 'store' });
  table(state, 'installations').set('app', { id: 'app', storeId: 'store', status: 'Installed' });
  await putDefinition(ports)('store', 'chart', { name: 'Chart', fields: [{ key: 'hex', type: 'color' }] });
});

describe('the list of own entries', () => {
  it.each<[string, string | null, number, [string[], string | null]]>([
    ['a full page says behind which handle the next begins', null, 2, [['a', 'b'], 'b']],
    ['a page of one says it too', null, 1, [['a'], 'a']],
    ['the last page has no next', 'b', 2, [['c'], null]],
    ['a page that is just full has no next', null, 3, [['a', 'b', 'c'], null]],
    ['a page of none begins nowhere', null, 0, [[], null]],
  ])('comes in pages: %s', async (_, after, take, page) => {
    for (const handle of ['b', 'a', 'c']) await put(handle);
    const listed = await customDataLookups(ports).listOwnEntries(app, 'chart', { after, take });
    if (!listed.ok) return expect.fail(listed.message);
    expect([listed.value.items.map(({ handle }) => handle), listed.value.next]).toEqual(page);
  });
});

it.each([
  ['a type that none can be', 'no type', 'linen'],
  ['a handle that none can have', 'chart', ''],
  ['a handle that none has', 'chart', 'silk'],
])('an entry of %s is neither found nor deleted', async (_, type, handle) => {
  await put('linen');
  expect(await customDataLookups(ports).getEntry(app, type, handle)).toEqual(notFound('Entry'));
  expect(await deleteEntry(ports)(null, app, { type, handle }, null)).toEqual(notFound('Entry'));
});

it('a sandbox store that is full takes no other entry, and still replaces one', async () => {
  await put('linen');
  makeSandbox();
  const entries = table<object>(state, 'metaobject_entries');
  for (let n = entries.size; n < MAX_SANDBOX_ENTRIES; n += 1) entries.set(`other ${String(n)}`, { storeId: 'store' });
  expect(await put('silk')).toEqual(refuse('conflict', 'A sandbox store has at most 1,000 entries. Reset it, or delete some.'));
  expect(await put('linen')).toMatchObject({ value: { handle: 'linen' } });
  entries.delete('other 999');
  expect(await put('silk')).toMatchObject({ value: { handle: 'silk' } });
});
