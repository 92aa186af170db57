import { api } from '../../api/client.ts';
import type { Store } from '../../api/types.ts';
import { EffectsDialog } from '../../parts/effects-dialog.tsx';
import { useAction } from '../../parts/use-action.ts';

const CHANGES = {
  Inactive: {
    action: 'Deactivate',
    said: 'inactive',
    effects: [
      'Every app gets 401 from the next request on, and its access tokens are revoked.',
      'Deliveries are held. They are sent when you activate the store, unless their schedule ends first.',
      'The catalogue, the apps and their secrets stay as they are.',
    ],
  },
  Active: {
    action: 'Activate',
    said: 'active',
    effects: ['Apps can get access tokens again, with the same secrets.', 'Deliveries that wait for it are sent now.'],
  },
} as const;

interface StatusProps {
  readonly store: Store;
  readonly to: Store['status'];
  readonly onClose: () => void;
}

/** Says what happens before a store stops or starts. */
export const ChangeStatus = ({ store, to, onClose }: StatusProps) => {
  const { action, said, effects } = CHANGES[to];
  const change = useAction({
    act: () => api.patch(`/stores/${store.id}`, { status: to }),
    said: `${store.name} is ${said}.`,
    onDone: onClose,
    changes: ['stores', 'subscriptions'],
  });
  return (
    <EffectsDialog
      title={`${action} ${store.name}`}
      action={`${action} the store`}
      isDanger={to === 'Inactive'}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      effects={effects}
      onClose={onClose}
    />
  );
};
