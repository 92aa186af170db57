import type { TaxClassRepository } from '../../../src/domain/ports/catalogue/tax-class-repository.ts';
import { taxClassesOf } from './catalogue-tables.ts';
import type { MemoryState } from '../state.ts';

export const taxClassRepository = (state: MemoryState): TaxClassRepository => ({
  find: async (storeId, { ids, codes, names }) =>
    [...taxClassesOf(state).values()].filter(
      ({ tenantId, id, code, name }) =>
        tenantId === storeId && (ids.includes(id) || codes.includes(code) || names.includes(name)),
    ),
  save: async (storeId, taxClasses) => {
    for (const taxClass of taxClasses) taxClassesOf(state).set(`${storeId}/${taxClass.id}`, taxClass);
  },
});
