import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { RedeliveredMatching, WatchedSubscription } from '../../api/types.ts';
import { Select } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Claim, Found } from '../../parts/found.tsx';
import { PERIODS } from '../../parts/periods.ts';
import { useAction } from '../../parts/use-action.ts';
import { Counted, countText, isNothing } from '../deliveries/counted.tsx';
import { failedIn, firstPeriod } from './failed-choice.ts';

interface RedeliverProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
  readonly onClose: () => void;
}

/** Sends again what failed for good: the count first. */
export const RedeliverFailed = ({ storeId, subscription, onClose }: RedeliverProps) => {
  const [opened] = useState(() => Date.now());
  const [period, setPeriod] = useState(() => firstPeriod(subscription.health.failingSince));
  const path = paths.redeliverMatching(storeId);
  const filter = failedIn(subscription.id, period, opened);
  const count = useQuery({
    queryKey: ['redeliver-count', storeId, filter],
    queryFn: () => api.post<RedeliveredMatching>(path, { ...filter, dryRun: true }),
    gcTime: 0,
    staleTime: 0,
  });
  const send = useAction({
    act: () => api.post<RedeliveredMatching>(path, filter),
    said: (sent) => `Queued ${countText(sent)} again. The latest deliveries show what became of them.`,
    onDone: onClose,
    changes: ['deliveries', 'subscriptions'],
  });
  const matching = count.data;
  return (
    <FormDialog
      title="Redeliver failed deliveries"
      action={matching && !isNothing(matching) ? `Queue ${countText(matching)} again` : 'Queue again'}
      isBusy={send.isPending}
      isDisabled={!matching || isNothing(matching)}
      error={send.error}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <Select label="Created" options={PERIODS} chosen={period} onChange={setPeriod} isLabelShown />
      <Found query={count} lines={1}>
        {(counted) =>
          isNothing(counted) && counted.refused.length === 0 ? (
            <Claim>
              <p className="mute">
                No delivery of this time has failed for good. What still has attempts left is tried again by itself.
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
