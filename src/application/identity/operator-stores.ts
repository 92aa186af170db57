import { isOwnerOfSomeStores } from '../../domain/identity/operator.ts';
import type { OperatorChanges } from '../../domain/ports/identity/operator-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { refuse, type Refusal } from '../../domain/result.ts';

export const LIMITED_OWNER = refuse(
  'conflict',
  'An owner has access to all stores. Set storeIds to null, or choose another role.',
);

export const nameTaken = (name: string): Refusal<'conflict'> =>
  refuse('conflict', `Another operator has the name ${name}. Choose another name.`);

/** Returns the reason why nobody can have this role on these stores; null where somebody can. */
export const storesRefusal = async (
  { stores }: Pick<Ports, 'stores'>,
  { role, storeIds }: Pick<OperatorChanges, 'role' | 'storeIds'>,
): Promise<Refusal<'conflict'> | null> => {
  if (!storeIds) return null;
  if (role !== undefined && isOwnerOfSomeStores({ role, storeIds })) return LIMITED_OWNER;
  const { items } = await stores.list({ skip: 0, take: storeIds.length }, { ids: storeIds });
  const unknown = storeIds.find((id) => items.every((store) => store.id !== id));
  return unknown === undefined ? null : refuse('conflict', `There is no store ${unknown}.`);
};
