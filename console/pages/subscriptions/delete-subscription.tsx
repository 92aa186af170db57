import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import { FormDialog } from '../../parts/form.tsx';
import { useAction } from '../../parts/use-action.ts';

interface DeleteProps {
  readonly storeId: string;
  readonly id: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

export const DeleteSubscription = ({ storeId, id, onDeleted, onClose }: DeleteProps) => {
  const remove = useAction({
    act: () => api.delete(`${paths.ownSubscriptions(storeId)}/${id}`),
    said: 'Subscription deleted.',
    onDone: onDeleted,
    changes: ['subscriptions', 'deliveries'],
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
