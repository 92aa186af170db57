import { beforeEach, describe, expect, it } from 'vitest';

import { eraseStore, isBeingErased, eraseStores } from '../../../src/application/identity/erase-store.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

let ports: MemoryWorld;
beforeEach(async () => {
  ports = openMemoryPorts();
  await ports.stores.create({ id: 'a', domain: 'a.test', name: 'A', currency: 'EUR' });
  await ports.stores.create({ id: 'b', domain: 'b.test', name: 'B', currency: 'EUR' });
});

describe('the erasure of a store', () => {
  it('is accepted with its domain alone', async () => {
    expect(await eraseStore(ports)('none', 'a.test')).toMatchObject({ code: 'not_found', message: 'Store not found.' });
    expect(await eraseStore(ports)('a', 'b.test')).toMatchObject({
      code: 'conflict',
      message: 'The store does not have this domain. Nothing was erased.',
    });
    expect(await isBeingErased(ports)('a')).toBe(false);
    expect(await eraseStore(ports)('a', 'a.test')).toMatchObject({ value: { storeId: 'a', domain: 'a.test' } });
    expect([await isBeingErased(ports)('a'), await isBeingErased(ports)('b')]).toEqual([true, false]);
  });
});

describe('the sweep of erased stores', () => {
  const files = [1, 2, 3].map((n) => ({ storeId: 'a', key: `file ${n}` }));
  /** The sweep where three files are left; what it removes and forgets. */
  const sweep = (broken: readonly string[] = []) => {
    const done = { limits: [] as number[], removed: [] as string[], forgotten: [] as string[] };
    const storeErasure = {
      ...ports.storeErasure,
      eraseRows: async (limit: number) => (done.limits.push(limit), 7),
      files: async (limit: number) => (done.limits.push(limit), files),
      forget: async (gone: typeof files) => void done.forgotten.push(...gone.map(({ key }) => key)),
    };
    const remove = async (key: string) => {
      if (broken.includes(key)) throw new Error(`${key} is stuck`);
      done.removed.push(key);
    };
    return { done, run: () => eraseStores({ storeErasure, mediaStorage: { ...ports.mediaStorage, remove } })(10) };
  };

  it('erases some rows, then some files, and counts both', async () => {
    const { done, run } = sweep();
    expect(await run()).toBe(10);
    const keys = files.map(({ key }) => key);
    expect(done).toEqual({ limits: [10, 10], removed: keys, forgotten: keys });
  });
  it('keeps in mind a file that cannot be removed, removes the others, and fails at its end', async () => {
    const { done, run } = sweep(['file 1']);
    await expect(run()).rejects.toThrow('file 1 is stuck');
    expect(done).toMatchObject({ removed: ['file 2', 'file 3'], forgotten: ['file 2', 'file 3'] });
  });
});
