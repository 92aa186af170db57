import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { Skeleton } from '../../parts/empty.tsx';
import { Select } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Failure } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';

interface Matching {
  readonly deliveries: number;
  readonly isComplete: boolean;
}

const HOUR_MS = 3_600_000;
const PERIODS = [
  ['1', 'The last hour'],
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
] as const;

const counted = (count: number): string => `${count.toLocaleString()} ${count === 1 ? 'delivery' : 'deliveries'}`;

const Count = ({ count }: { readonly count: UseQueryResult<Matching> }) => {
  if (count.isPending) return <Skeleton lines={1} />;
  if (count.isError) return <Failure error={count.error} retry={() => void count.refetch()} />;
  const { deliveries, isComplete } = count.data;
  if (deliveries === 0) {
    return (
      <p className="mute">Nothing has failed for good in this time. What still has attempts left is tried again by itself.</p>
    );
  }
  return (
    <p>
      {isComplete ? '' : 'At least '}
      <strong>{counted(deliveries)}</strong> failed in this time. Each is sent again with the same id and body.
    </p>
  );
};

interface RedeliverProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
  readonly onClose: () => void;
}

/** Sends again what failed since a time: the count first. */
export const RedeliverFailed = ({ storeId, subscription, onClose }: RedeliverProps) => {
  const { failingSince } = subscription.health;
  const options = failingSince === null ? PERIODS : ([['failing', 'Since it started failing'], ...PERIODS] as const);
  const [opened] = useState(() => Date.now());
  const [period, setPeriod] = useState<string>(options[0][0]);
  const since =
    period === 'failing' && failingSince !== null ? failingSince : new Date(opened - Number(period) * HOUR_MS).toISOString();
  const count = useQuery({
    queryKey: ['redeliver-count', storeId, subscription.id, since],
    queryFn: () =>
      api.post<Matching>(`/stores/${storeId}/deliveries/redeliver`, {
        subscriptionId: subscription.id,
        status: ['Failed'],
        since,
        dryRun: true,
      }),
    gcTime: 0,
    staleTime: 0,
  });
  const send = useAction({
    act: () => api.post<Matching>(`/subscriptions/${subscription.id}/redeliver-failed`, { since }),
    said: ({ deliveries }) => `${counted(deliveries)} will be sent again.`,
    onDone: onClose,
    changes: ['deliveries', 'subscriptions'],
  });
  const matching = count.data;
  return (
    <FormDialog
      title="Redeliver failed deliveries"
      action={matching && matching.deliveries > 0 ? `Send ${counted(matching.deliveries)} again` : 'Send again'}
      isBusy={send.isPending}
      isDisabled={!matching || matching.deliveries === 0}
      error={send.error}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <Select label="Created" options={options} chosen={period} onChange={setPeriod} isLabelShown />
      <Count count={count} />
    </FormDialog>
  );
};
