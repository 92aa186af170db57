import type { CategoryRepository } from '../../../src/domain/ports/catalogue/category-repository.ts';
import { categoriesOf } from './catalogue-tables.ts';
import type { MemoryState } from '../state.ts';

export const categoryRepository = (state: MemoryState): CategoryRepository => ({
  find: async (storeId, { ids, slugs, names }) => {
    const all = [...categoriesOf(state).values()].filter(({ tenantId }) => tenantId === storeId);
    const found = new Set(
      all.filter(({ id, slug, name }) => ids.includes(id) || (slug !== null && slugs.includes(slug)) || names.includes(name)),
    );
    // A set gives what is added during the walk: the ancestors, up to the root.
    for (const { parentId } of found) for (const parent of all) if (parent.id === parentId) found.add(parent);
    return all.filter((category) => found.has(category));
  },
  save: async (storeId, categories) => {
    for (const category of categories) categoriesOf(state).set(`${storeId}/${category.id}`, category);
  },
});
