import { Send, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { messageOf } from '../../parts/notice.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useAction } from '../../parts/use-action.ts';
import { DeleteSubscription } from './delete-subscription.tsx';

interface ActionsProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
  readonly onDeleted: () => void;
}

/** What an app can do with a subscription of its own. */
export const SubscriptionActions = ({ storeId, subscription, onDeleted }: ActionsProps) => {
  const [isDeleting, setDeleting] = useState(false);
  const toast = useToast();
  const ping = useAction({
    act: () => api.post(paths.ping(subscription.id)),
    said: 'Ping queued. The latest deliveries show what the receiver answers.',
    changes: ['subscriptions', 'deliveries'],
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
      <button type="button" className="button danger" onClick={() => setDeleting(true)}>
        <Trash2 size={15} aria-hidden /> Delete
      </button>
      {isDeleting && (
        <DeleteSubscription storeId={storeId} id={subscription.id} onDeleted={onDeleted} onClose={() => setDeleting(false)} />
      )}
    </div>
  );
};
