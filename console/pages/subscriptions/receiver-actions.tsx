import { useState } from 'react';

import { Pause, Pencil, Play, Power, RotateCw, Trash2 } from '../../icons/index.ts';
import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { useAction } from '../../parts/use-action.ts';
import { DeleteSubscription } from './delete-subscription.tsx';
import { EditSubscription } from './edit-subscription.tsx';
import { RECEIVER_CHANGES } from './queries.ts';
import { RedeliverFailed } from './redeliver-failed.tsx';
import { TryNow } from './try-now.tsx';

interface ActionsProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
  readonly onDeleted: () => void;
}

/** Actions by state. */
const STATE = {
  pause: { name: 'Pause', icon: Pause, said: 'Paused. Its deliveries wait, and nothing is lost.' },
  resume: { name: 'Resume', icon: Play, said: 'Resumed. What waited is sent now.' },
  reactivate: { name: 'Reactivate', icon: Power, said: 'Reactivated. Send the deliveries that failed again if you want them.' },
} as const;

const changeFor = ({ isActive, health }: WatchedSubscription): keyof typeof STATE => {
  if (!isActive) return 'reactivate';
  return health.pausedAt === null ? 'pause' : 'resume';
};

/** The merchant's actions on a receiver. Only their own can be edited and deleted: an app deletes its own. */
export const ReceiverActions = ({ storeId, subscription, onDeleted }: ActionsProps) => {
  const [open, setOpen] = useState<'edit' | 'again' | 'delete' | null>(null);
  const path = paths.receiver(storeId, subscription.id);
  const change = changeFor(subscription);
  const { name, icon: Icon, said } = STATE[change];
  const setState = useAction({ act: () => api.post(`${path}/${change}`), said, saysFailure: true, changes: RECEIVER_CHANGES });
  const isOwn = subscription.installationId === null && subscription.platformAppId === null;
  const close = () => setOpen(null);
  return (
    <>
      {change === 'pause' && <TryNow storeId={storeId} id={subscription.id} />}
      {(change !== 'pause' || subscription.platformAppId === null) && (
        <button
          type="button"
          className={change === 'pause' ? 'button' : 'button primary'}
          disabled={setState.isPending}
          onClick={() => setState.mutate()}
        >
          <Icon size={15} aria-hidden /> {name}
        </button>
      )}
      {isOwn && (
        <button type="button" className="button" onClick={() => setOpen('edit')}>
          <Pencil size={15} aria-hidden /> Edit
        </button>
      )}
      <button type="button" className="button" disabled={!subscription.isActive} onClick={() => setOpen('again')}>
        <RotateCw size={15} aria-hidden /> Send failed again
      </button>
      {isOwn && (
        <button type="button" className="button danger" onClick={() => setOpen('delete')}>
          <Trash2 size={15} aria-hidden /> Delete
        </button>
      )}
      {open === 'edit' && <EditSubscription storeId={storeId} subscription={subscription} onClose={close} />}
      {open === 'again' && <RedeliverFailed storeId={storeId} subscription={subscription} onClose={close} />}
      {open === 'delete' && <DeleteSubscription storeId={storeId} id={subscription.id} onDeleted={onDeleted} onClose={close} />}
    </>
  );
};
