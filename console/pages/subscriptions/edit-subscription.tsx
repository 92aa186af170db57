import { useState } from 'react';

import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { FormDialog } from '../../parts/form.tsx';
import { useAction } from '../../parts/use-action.ts';
import { DryRun } from './dry-run.tsx';
import { FAULTY, isWhole, requestOf, SubscriptionFields, writtenOptions, type Content } from './subscription-fields.tsx';

interface EditProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
  readonly onClose: () => void;
}

/** Changes a subscription of the merchant's own. */
export const EditSubscription = ({ storeId, subscription, onClose }: EditProps) => {
  const { id, url, description, eventTypes } = subscription;
  const [content, setContent] = useState<Content>({
    url,
    description: description ?? '',
    eventTypes,
    ...writtenOptions(subscription),
  });
  const edit = useAction({
    act: () => api.patch<WatchedSubscription>(`${paths.ownSubscriptions(storeId)}/${id}`, requestOf(content)),
    said: 'Subscription changed.',
    onDone: onClose,
    changes: ['subscriptions', 'subscription', 'deliveries'],
  });
  return (
    <FormDialog
      title="Edit the subscription"
      action="Save"
      isBusy={edit.isPending}
      isDisabled={!isWhole(content)}
      error={edit.error}
      fields={FAULTY}
      onSubmit={() => edit.mutate()}
      onClose={onClose}
    >
      <p className="mute">The signing secret stays. What waits is sent to the new URL.</p>
      <SubscriptionFields content={content} error={edit.error} onChange={setContent} />
      <DryRun key={JSON.stringify(content)} storeId={storeId} content={content} />
    </FormDialog>
  );
};
