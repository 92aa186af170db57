import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { Plus } from '../../icons/index.ts';
import { faultOf } from '../../api/problem.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SecretsDialog } from '../../parts/secrets.tsx';
import { useAction } from '../../parts/use-action.ts';
import { APP_CHANGES, installApp } from './queries.ts';
import { ScopePicker } from './scope-picker.tsx';
import type { Scope } from './scopes.ts';
import { clientSecret, signingSecret } from './secrets.ts';

const Install = ({ storeId, onClose }: { readonly storeId: string; readonly onClose: () => void }) => {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read_products', 'write_webhooks']);
  const install = useAction({
    act: () => installApp(storeId, { name: name.trim(), scopes }),
    changes: APP_CHANGES,
  });
  const made = install.data;
  if (made) {
    const { installation } = made;
    return (
      <SecretsDialog
        title={`${installation.name} is installed`}
        secrets={[
          {
            name: 'Client id',
            variable: 'TENON_CLIENT_ID',
            value: made.clientId,
            help: 'Identifies the app. It is not secret, and its page keeps showing it.',
          },
          clientSecret(made.clientSecret),
          signingSecret(made.signingSecret),
        ]}
        onClose={() => void navigate({ to: '/stores/$storeId/apps/$appId', params: { storeId, appId: installation.id } })}
      />
    );
  }
  return (
    <FormDialog
      title="Install an app"
      action="Install the app"
      isBusy={install.isPending}
      isDisabled={name.trim() === ''}
      error={install.error}
      fields={['name']}
      onSubmit={() => install.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="The name your colleagues use, for example “Stock sync”."
        value={name}
        fault={faultOf(install.error, 'name')}
        required
        autoFocus
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <ScopePicker chosen={scopes} onChange={setScopes} />
    </FormDialog>
  );
};

export const InstallApp = ({ storeId }: { readonly storeId: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden /> Install an app
      </button>
      {isOpen && <Install storeId={storeId} onClose={() => setOpen(false)} />}
    </>
  );
};
