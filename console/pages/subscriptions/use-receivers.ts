import { useQuery } from '@tanstack/react-query';

import { receiverName } from '../../../src/domain/webhooks/receiver.ts';
import { subscriptionsQuery } from './queries.ts';
import { REMOVED } from './receiver-name.tsx';

interface Receivers {
  /** Of each subscription, by name. */
  readonly options: readonly (readonly [id: string, name: string])[];
  readonly nameOf: (subscriptionId: string) => string;
}

/** The receivers of the store, by their subscriptions. Two with the same name differ by the end of their id. */
export const useReceivers = (storeId: string): Receivers => {
  const list = useQuery({ ...subscriptionsQuery(storeId), staleTime: 30_000 });
  const named = (list.data ?? []).map((subscription) => [subscription.id, receiverName(subscription)] as const);
  const isShared = (name: string): boolean => named.filter(([, other]) => other === name).length > 1;
  const options = named
    .map(([id, name]) => [id, isShared(name) ? `${name} (…${id.slice(-4)})` : name] as const)
    .sort(([, one], [, other]) => one.localeCompare(other));
  const names = new Map(options);
  return { options, nameOf: (id) => names.get(id) ?? (list.data ? REMOVED : '…') };
};
