import { useQuery } from '@tanstack/react-query';

import { receiverName } from '../../../src/adapters/http/console/shared.ts';
import { isPortal } from '../../api/client.ts';
import { ApiError } from '../../api/problem.ts';
import type { Delivery } from '../../api/types.ts';
import { subscriptionQuery } from './queries.ts';

export const REMOVED = 'Deleted subscription';

/** To whom a delivery goes, with who subscribed below it. Everything that an app sees is its own. */
export const ReceiverName = ({ receiver: { name, url, owner } }: { readonly receiver: Delivery['receiver'] }) => (
  <span className="receiver">
    <span className="clip" title={url ?? REMOVED}>
      {name ?? REMOVED}
    </span>
    {!isPortal && <span className="clip mute">{owner ?? 'Merchant'}</span>}
  </span>
);

/** A receiver by its subscription's id alone. Empty without one. */
export const useReceiverName = (storeId: string, subscriptionId: string | undefined): string => {
  const found = useQuery({ ...subscriptionQuery(storeId, subscriptionId ?? ''), enabled: subscriptionId !== undefined });
  if (subscriptionId === undefined) return '';
  if (found.data !== undefined) return receiverName(found.data);
  return found.error instanceof ApiError && found.error.status === 404 ? REMOVED : '…';
};

export const ReceiverOf = ({ storeId, subscriptionId }: { readonly storeId: string; readonly subscriptionId: string }) =>
  useReceiverName(storeId, subscriptionId);
