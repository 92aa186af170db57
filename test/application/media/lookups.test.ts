import { beforeEach, describe, expect, it } from 'vitest';

import { createMediaImport } from '../../../src/application/media/create-media-import.ts';
import { mediaLookups } from '../../../src/application/media/lookups.ts';
import { sweepMediaImports } from '../../../src/application/media/run-media-imports.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import type { ItemInput } from '../../../src/domain/media/import-request.ts';
import { notFound, refuse } from '../../../src/domain/result.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const PRODUCT = '00000000-0000-7000-8000-00000000000a';
const APP = '00000000-0000-7000-8000-00000000000b';
const STORE = '00000000-0000-7000-8000-00000000000c';
const NOWHERE = '00000000-0000-7000-8000-00000000000f';
const caller: Caller = { storeId: STORE, installationId: APP, scopes: ['write_products'] };
const images = (count: number): ItemInput[] =>
  Array.from({ length: count }, (_, n) => ({ sourceUrl: `https://x.test/${String(n)}`, productId: PRODUCT }));

let world: MemoryWorld;
const request = (by: Caller, count: number) =>
  world.transaction.run(null, (tx) => createMediaImport(world)(tx, by, images(count)));
const create = async (): Promise<string> => {
  const created = await request(caller, 1);
  return created.ok ? created.value.importId : expect.fail(created.message);
};

beforeEach(async () => {
  world = openMemoryPorts();
  await world.stores.create({ id: STORE, domain: 'a.test', name: 'A', currency: 'EUR' });
  const secrets = { clientSecret: { id: 'c', hash: '' }, signingSecret: { id: 's', sealed: '' } };
  await world.installations.create({ id: APP, storeId: STORE, name: 'App', clientId: APP, scopes: caller.scopes, ...secrets });
});

describe('the imports of images', () => {
  it('are found by their ids, of any app', async () => {
    const id = await create();
    expect(await mediaLookups(world).getImportDetail(id)).toMatchObject({
      value: { id, storeId: STORE, installationId: APP, status: 'Queued', items: [{ sourceUrl: 'https://x.test/0' }] },
    });
    expect(await mediaLookups(world).getImportDetail(NOWHERE)).toEqual(notFound('Media import'));
  });
  it('are not looked for where no store has them', async () => {
    const get = (): Promise<never> => Promise.reject(new Error('no store'));
    const lookups = mediaLookups({ ...world, mediaImportLog: { ...world.mediaImportLog, get } });
    expect(await lookups.getImportDetail(NOWHERE)).toEqual(notFound('Media import'));
  });
  it('of a store are listed, the newest first, and a page says where the next begins', async () => {
    const { listMediaImports } = mediaLookups(world);
    const first = await create();
    world.clock.advance(1_000);
    const [second, at] = [await create(), world.clock.now()];
    const next = { at, id: second };
    expect(await listMediaImports(STORE, {}, { after: null, take: 1 })).toMatchObject({
      value: { items: [{ id: second }], next },
    });
    expect(await listMediaImports(STORE, {}, { after: next, take: 1 })).toMatchObject({
      value: { items: [{ id: first }], next: null },
    });
    expect(await listMediaImports(STORE, { statuses: ['Failed'] }, { after: null, take: 1 })).toMatchObject({
      value: { items: [], next: null },
    });
    expect(await listMediaImports(NOWHERE, {}, { after: null, take: 1 })).toEqual(notFound('Store'));
  });
  it('that wait are asked for again, also those that the queue lost', async () => {
    await create();
    const asked: unknown[] = [];
    const importQueue = { ...world.importQueue, ask: async (owners: readonly unknown[]) => void asked.push(...owners) };
    await sweepMediaImports({ ...world, importQueue })();
    expect(asked).toEqual([{ storeId: STORE, installationId: APP }]);
  });
});

it('a sandbox store takes 100 images, and refuses an import that would have more', async () => {
  const store = await world.stores.createSandbox({ id: NOWHERE, domain: 's.test', name: 'S', currency: 'EUR' }, 'an app');
  if (typeof store === 'string') return expect.fail(store);
  const there = { ...caller, storeId: store.id };
  const full = refuse('conflict', 'A sandbox store has at most 100 images. Reset it, or delete some.');
  for (const count of [20, 20, 20, 20, 19]) expect(await request(there, count)).toMatchObject({ ok: true });
  expect(await request(there, 2)).toEqual(full);
  expect(await request(there, 1)).toMatchObject({ ok: true });
  expect(await request(there, 1)).toEqual(full);
  // Another store has no such limit.
  for (const count of [20, 20, 20, 20, 20, 1]) expect(await request(caller, count)).toMatchObject({ ok: true });
});
