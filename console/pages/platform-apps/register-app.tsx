import { Plus } from '../../icons/index.ts';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import { faultOf } from '../../api/problem.ts';
import type { RegisteredApp } from '../../api/types.ts';
import { Field, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { SecretsDialog } from '../../parts/secrets.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ScopePicker } from '../apps/scope-picker.tsx';
import type { Scope } from '../apps/scopes.ts';
import { clientSecret, signingSecret } from '../apps/secrets.ts';

interface RegisterProps {
  readonly onRegistered: (id: string) => void;
  readonly onClose: () => void;
}

const Register = ({ onRegistered, onClose }: RegisterProps) => {
  const [name, setName] = useState('');
  const [redirects, setRedirects] = useState('');
  const [eventUrl, setEventUrl] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [optionalScopes, setOptional] = useState<readonly Scope[]>([]);
  const redirectUrls = redirects.split(/\s+/).filter(Boolean);
  const register = useAction({
    act: () =>
      api.post<RegisteredApp>('/platform-apps', {
        name: name.trim(),
        redirectUrls,
        scopes,
        optionalScopes,
        eventUrl: eventUrl.trim() || null,
      }),
    changes: ['platform-apps'],
  });
  const made = register.data;
  if (made) {
    return (
      <SecretsDialog
        title={`${made.app.name} is registered`}
        secrets={[
          {
            name: 'Client id',
            variable: 'TENON_CLIENT_ID',
            value: made.clientId,
            help: 'Identifies the app on every store. It is not secret, and this page keeps showing it.',
          },
          clientSecret(made.clientSecret),
          signingSecret(made.signingSecret),
        ]}
        onClose={() => onRegistered(made.app.id)}
      />
    );
  }
  return (
    <FormDialog
      title="Register a platform app"
      action="Register the app"
      isBusy={register.isPending}
      isDisabled={name.trim() === '' || redirectUrls.length === 0}
      error={register.error}
      fields={['name', 'redirectUrls', 'eventUrl']}
      onSubmit={() => register.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Merchants see it when they decide."
        value={name}
        fault={faultOf(register.error, 'name')}
        required
        autoFocus
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Redirect URLs"
        hint="Where merchants return to after their decision, one in each line. A request must name one of them exactly."
        rows={3}
        value={redirects}
        fault={faultOf(register.error, 'redirectUrls')}
        required
        onChange={(event) => setRedirects(event.target.value)}
      />
      <Field
        label="Event address (optional)"
        hint="Where the app learns that it was installed, suspended or uninstalled on a store."
        type="url"
        value={eventUrl}
        fault={faultOf(register.error, 'eventUrl')}
        autoComplete="off"
        onChange={(event) => setEventUrl(event.target.value)}
      />
      <ScopePicker label="Required scopes" chosen={scopes} onChange={setScopes} />
      <ScopePicker label="Optional scopes" chosen={optionalScopes} onChange={setOptional} />
    </FormDialog>
  );
};

/** Registers an app that many stores can install, then shows its secrets once. */
export const RegisterApp = ({ onRegistered }: Pick<RegisterProps, 'onRegistered'>) => {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden /> Register an app
      </button>
      {isOpen && (
        <Register
          onRegistered={(id) => {
            close();
            onRegistered(id);
          }}
          onClose={close}
        />
      )}
    </>
  );
};
