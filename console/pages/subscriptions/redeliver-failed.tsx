import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { RedeliveredMatching, WatchedSubscription } from '../../api/types.ts';
import { Select } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Claim, Found } from '../../parts/found.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Counted, countText } from '../deliveries/counted.tsx';
import { deliveriesText } from '../deliveries/words.ts';

const HOUR_MS = 3_600_000;
const PERIODS = [
  ['1', 'The last hour'],
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
] as const;

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
  const path = paths.redeliverMatching(storeId);
  const filter = { subscriptionId: subscription.id, status: ['Failed'], since };
  const count = useQuery({
    queryKey: ['redeliver-count', storeId, subscription.id, since],
    queryFn: () => api.post<RedeliveredMatching>(path, { ...filter, dryRun: true }),
    gcTime: 0,
    staleTime: 0,
  });
  const send = useAction({
    act: () => api.post<RedeliveredMatching>(path, filter),
    said: ({ deliveries }) => `${deliveriesText(deliveries)} queued. The latest deliveries show what became of them.`,
    onDone: onClose,
    changes: ['deliveries', 'subscriptions'],
  });
  const matching = count.data;
  return (
    <FormDialog
      title="Redeliver failed deliveries"
      action={matching && matching.deliveries > 0 ? `Queue ${countText(matching)} again` : 'Queue again'}
      isBusy={send.isPending}
      isDisabled={!matching || matching.deliveries === 0}
      error={send.error}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <Select label="Created" options={options} chosen={period} onChange={setPeriod} isLabelShown />
      <Found query={count} lines={1}>
        {(counted) =>
          counted.deliveries === 0 && counted.refused.length === 0 ? (
            <Claim>
              <p className="mute">
                Nothing has failed for good in this time. What still has attempts left is tried again by itself.
              </p>
            </Claim>
          ) : (
            <Counted counted={counted} />
          )
        }
      </Found>
    </FormDialog>
  );
};
