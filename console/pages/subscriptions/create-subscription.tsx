import { Plus } from 'lucide-react';
import { useState } from 'react';

import { api, isPortal } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import { faultOf } from '../../api/problem.ts';
import type { MerchantSubscription, Subscription } from '../../api/types.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SecretsDialog } from '../../parts/secrets.tsx';
import { useAction } from '../../parts/use-action.ts';
import { signingSecret } from '../apps/secrets.ts';
import { MERCHANT_TYPES, TYPE_GROUPS, type EventType } from './event-types.ts';

interface TypesProps {
  readonly chosen: readonly EventType[];
  readonly onChange: (chosen: readonly EventType[]) => void;
}

const Types = ({ chosen, onChange }: TypesProps) =>
  TYPE_GROUPS.filter(([, types]) => !isPortal || types !== MERCHANT_TYPES).map(([title, types]) => (
    <fieldset key={title}>
      <legend>{title}</legend>
      <div className="checks">
        {types.map((type) => {
          const isChosen = chosen.includes(type);
          return (
            <label key={type} className="check">
              <input
                type="checkbox"
                checked={isChosen}
                onChange={() => onChange(isChosen ? chosen.filter((other) => other !== type) : [...chosen, type])}
              />
              <code>{type}</code>
            </label>
          );
        })}
      </div>
    </fieldset>
  ));

const Create = ({ storeId, onClose }: { readonly storeId: string; readonly onClose: () => void }) => {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [eventTypes, setTypes] = useState<readonly EventType[]>([]);
  const create = useAction({
    act: () =>
      api.post<Subscription & Partial<MerchantSubscription>>(paths.ownSubscriptions(storeId), {
        url: url.trim(),
        eventTypes,
        description: description.trim() || null,
      }),
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
      isDisabled={url.trim() === '' || eventTypes.length === 0}
      error={create.error}
      fields={['url', 'description']}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        label="URL of the receiver"
        hint="An https URL that the server can reach."
        placeholder="https://hooks.example.com/tenon"
        type="url"
        inputMode="url"
        autoComplete="off"
        autoFocus
        value={url}
        fault={faultOf(create.error, 'url')}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Field
        label="Description (optional)"
        autoComplete="off"
        value={description}
        fault={faultOf(create.error, 'description')}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Types chosen={eventTypes} onChange={setTypes} />
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
