import type { Operator } from '../../api/types.ts';
import { plural } from '../../parts/plural.ts';

export const ROLES = ['viewer', 'operator', 'owner'] as const satisfies readonly Operator['role'][];

export const ROLE: Readonly<Record<Operator['role'], { readonly name: string; readonly may: string }>> = {
  viewer: { name: 'Viewer', may: 'Sees everything and changes nothing.' },
  operator: { name: 'Operator', may: 'Sees and changes everything but operators, and erases no store.' },
  owner: { name: 'Owner', may: 'Also adds operators and erases stores. Reaches all stores.' },
};

export const storesText = ({ storeIds }: Pick<Operator, 'storeIds'>): string => {
  if (storeIds === null) return 'All stores';
  return plural(storeIds.length, 'store');
};
