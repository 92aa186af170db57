import { useState } from 'react';

import { RotateCw, Send, Trash2 } from '../../icons/index.ts';
import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { messageOf } from '../../parts/notice.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useAction } from '../../parts/use-action.ts';
import { DeleteSubscription } from './delete-subscription.tsx';
import { RECEIVER_CHANGES } from './queries.ts';
import { RedeliverFailed } from './redeliver-failed.tsx';
import { TryNow } from './try-now.tsx';

interface ActionsProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
  readonly onDeleted: () => void;
}

/** Actions of an app on its own subscription. Its address and events cannot be changed. */
export const OwnReceiverActions = ({ storeId, subscription, onDeleted }: ActionsProps) => {
  const [open, setOpen] = useState<'again' | 'delete' | null>(null);
  const toast = useToast();
  const { id, isActive, health } = subscription;
  const ping = useAction({
    act: () => api.post(paths.ping(id)),
    said: 'Ping queued. The latest deliveries show what the receiver answers.',
    changes: RECEIVER_CHANGES,
  });
  const close = () => setOpen(null);
  return (
    <>
      {isActive && health.pausedAt === null && <TryNow storeId={storeId} id={id} />}
      <button
        type="button"
        className="button"
        disabled={ping.isPending || !isActive}
        onClick={() => ping.mutate(undefined, { onError: (error) => toast('bad', messageOf(error)) })}
      >
        <Send size={15} aria-hidden /> Send a ping
      </button>
      <button type="button" className="button" disabled={!isActive} onClick={() => setOpen('again')}>
        <RotateCw size={15} aria-hidden /> Send failed again
      </button>
      <button type="button" className="button danger" onClick={() => setOpen('delete')}>
        <Trash2 size={15} aria-hidden /> Delete
      </button>
      {open === 'again' && <RedeliverFailed storeId={storeId} subscription={subscription} onClose={close} />}
      {open === 'delete' && <DeleteSubscription storeId={storeId} id={id} onDeleted={onDeleted} onClose={close} />}
    </>
  );
};
