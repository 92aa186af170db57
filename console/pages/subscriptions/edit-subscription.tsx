import { useState } from 'react';

import { changedOf } from '../../api/changed.ts';
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

export const EditSubscription = ({ storeId, subscription, onClose }: EditProps) => {
  // The form keeps its initial values: a colleague's change is read again, and is not this person's change.
  const [before] = useState<Content>(() => ({
    url: subscription.url,
    description: subscription.description ?? '',
    eventTypes: subscription.eventTypes,
    ...writtenOptions(subscription),
  }));
  const [content, setContent] = useState(before);
  const changed = isWhole(content) ? changedOf(requestOf(before), requestOf(content)) : {};
  const edit = useAction({
    act: () => api.patch<WatchedSubscription>(`${paths.ownSubscriptions(storeId)}/${subscription.id}`, changed),
    said: 'Subscription changed.',
    onDone: onClose,
    changes: ['subscriptions', 'subscription', 'deliveries'],
  });
  return (
    <FormDialog
      title="Edit the subscription"
      action="Save"
      isBusy={edit.isPending}
      isDisabled={Object.keys(changed).length === 0}
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
