import { RotateCw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { api, isPortal } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { FormDialog } from '../../parts/form.tsx';
import { messageOf } from '../../parts/notice.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useAction } from '../../parts/use-action.ts';
import { RedeliverFailed } from './redeliver-failed.tsx';

const CHANGES = ['subscriptions', 'deliveries'] as const;

interface ActionsProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
  readonly onDeleted: () => void;
}

const Delete = ({ storeId, subscription, onDeleted, onClose }: ActionsProps & { readonly onClose: () => void }) => {
  const remove = useAction({
    act: () => api.delete(`${paths.ownSubscriptions(storeId)}/${subscription.id}`),
    said: 'Subscription deleted.',
    onDone: onDeleted,
    changes: CHANGES,
  });
  return (
    <FormDialog
      title="Delete the subscription"
      action="Delete the subscription"
      isDanger
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>The receiver gets no more events, and queued deliveries are dropped. This cannot be undone.</p>
    </FormDialog>
  );
};

/** What you can do with a subscription. Only your own can be deleted: an app deletes its own. */
export const SubscriptionActions = ({ storeId, subscription, onDeleted }: ActionsProps) => {
  const [open, setOpen] = useState<'again' | 'delete' | null>(null);
  const toast = useToast();
  const ping = useAction({
    act: () => api.post(paths.ping(subscription.id)),
    said: 'Ping queued. The latest deliveries show what the receiver answers.',
    changes: CHANGES,
  });
  return (
    <div className="row">
      <button
        type="button"
        className="button"
        disabled={ping.isPending || !subscription.isActive}
        onClick={() => ping.mutate(undefined, { onError: (error) => toast('bad', messageOf(error)) })}
      >
        <Send size={15} aria-hidden /> Send a ping
      </button>
      {!isPortal && (
        <button type="button" className="button" disabled={!subscription.isActive} onClick={() => setOpen('again')}>
          <RotateCw size={15} aria-hidden /> Send failed again
        </button>
      )}
      {(isPortal || subscription.installationId === null) && (
        <button type="button" className="button danger" onClick={() => setOpen('delete')}>
          <Trash2 size={15} aria-hidden /> Delete
        </button>
      )}
      {open === 'again' && <RedeliverFailed storeId={storeId} subscription={subscription} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <Delete storeId={storeId} subscription={subscription} onDeleted={onDeleted} onClose={() => setOpen(null)} />
      )}
    </div>
  );
};
