import { beforeEach, describe, expect, it } from 'vitest';

import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { taxonomyUses } from '../../../src/application/catalogue/taxonomy.ts';
import { ok, refuse } from '../../../src/domain/result.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import type { StoredEvent } from '../../memory/webhooks/event-repository.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const [A, B] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];

let state: MemoryState;
let ports: ReturnType<typeof openMemoryPorts>;
const events = () => [...table<StoredEvent>(state, 'events').values()].map(({ type, resourceId }) => [type, resourceId]);

beforeEach(() => {
  state = createMemoryState();
  ports = openMemoryPorts({}, state);
  table(state, 'stores').set('store', { id: 'store', status: 'Active' });
});

describe('what products are sorted by', () => {
  it('is put and deleted, each with its event', async () => {
    const { putCategory, deleteCategory, putCollection, deleteCollection, putTaxClass } = taxonomyUses(ports);
    await putCategory(null, 'store', A, { name: 'Tools' });
    await putCollection(null, 'store', A, { title: 'Saws', productIds: [] });
    await putTaxClass(null, 'store', A, { name: 'Standard', code: 'std' });
    expect(await deleteCategory(null, 'store', A)).toEqual(ok(null));
    expect(await deleteCollection(null, 'store', A)).toEqual(ok(null));
    expect(events()).toEqual([
      ['category.created', A],
      ['collection.created', A],
      ['tax_class.created', A],
      ['category.deleted', A],
      ['collection.deleted', A],
    ]);
  });

  it('a category that is put below another one is created, and the other stays as it is', async () => {
    const { putCategory } = taxonomyUses(ports);
    const parent = await putCategory(null, 'store', A, { name: 'Tools' });
    expect(await putCategory(null, 'store', B, { name: 'Tools', parentId: A })).toMatchObject({
      value: { id: B, name: 'Tools', parentId: A, updatedAt: null },
    });
    expect(events()).toEqual([
      ['category.created', A],
      ['category.created', B],
    ]);
    expect(parent).toEqual(ok(table(state, 'categories').get(`store/${A}`)));
  });

  it('a category that gets a product while it is deleted stays', async () => {
    const { putCategory, deleteCategory } = taxonomyUses(ports);
    await putCategory(null, 'store', A, { name: 'Tools' });
    let runs = 0;
    const run: typeof ports.transaction.run = async (cause, work) => {
      const result = await ports.transaction.run(cause, work);
      runs += 1;
      if (runs === 1) await saveProducts(ports)(null, 'store', [{ id: B, name: 'Saw', categoryId: A }]);
      return result;
    };
    const during = taxonomyUses({ ...ports, transaction: { ...ports.transaction, run } });
    const refused = refuse('conflict', 'The category has products. Move them to another category first.');
    expect(await during.deleteCategory(null, 'store', A)).toEqual(refused);
    expect(table(state, 'categories').has(`store/${A}`)).toBe(true);
    expect(await deleteCategory(null, 'store', A)).toEqual(refused);
  });
});
