import { useState } from 'react';

import { Plus } from '../../icons/index.ts';
import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { MerchantSubscription, Subscription } from '../../api/types.ts';
import { FormDialog } from '../../parts/form.tsx';
import { SecretsDialog } from '../../parts/secrets.tsx';
import { useAction } from '../../parts/use-action.ts';
import { signingSecret } from '../apps/secrets.ts';
import { DryRun } from './dry-run.tsx';
import { FAULTY, isWhole, requestOf, SubscriptionFields, type Content } from './subscription-fields.tsx';

const Create = ({ storeId, onClose }: { readonly storeId: string; readonly onClose: () => void }) => {
  const [content, setContent] = useState<Content>({
    url: '',
    description: '',
    eventTypes: [],
    filter: '',
    fields: '',
    order: null,
    gather: '',
    include: null,
  });
  const create = useAction({
    act: () => api.post<Subscription & Partial<MerchantSubscription>>(paths.ownSubscriptions(storeId), requestOf(content)),
    // An app's deliveries are signed with the secret that it has.
    onDone: ({ signingSecret: secret }) => secret === undefined && onClose(),
    said: 'Subscription created.',
    changes: ['subscriptions', 'deliveries'],
  });
  if (create.data?.signingSecret !== undefined) {
    return (
      <SecretsDialog title="Subscription created" secrets={[signingSecret(create.data.signingSecret)]} onClose={onClose}>
        <p className="mute">A ping is sent to the receiver now. The subscription's page shows what it answers.</p>
      </SecretsDialog>
    );
  }
  return (
    <FormDialog
      title="Subscribe to events"
      action="Create the subscription"
      isBusy={create.isPending}
      isDisabled={!isWhole(content)}
      error={create.error}
      fields={FAULTY}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <SubscriptionFields content={content} error={create.error} onChange={setContent} />
      <DryRun key={JSON.stringify(content)} storeId={storeId} content={content} />
    </FormDialog>
  );
};

/** Makes a subscription of the merchant's own, then shows its signing secret once. */
export const CreateSubscription = ({ storeId }: { readonly storeId: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden /> Subscribe to events
      </button>
      {isOpen && <Create storeId={storeId} onClose={() => setOpen(false)} />}
    </>
  );
};
