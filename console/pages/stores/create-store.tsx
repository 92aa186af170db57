import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { Plus } from '../../icons/index.ts';
import { api } from '../../api/client.ts';
import { faultOf } from '../../api/problem.ts';
import type { Store } from '../../api/types.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useAction } from '../../parts/use-action.ts';

const Create = ({ onClose }: { readonly onClose: () => void }) => {
  const navigate = useNavigate();
  const [domain, setDomain] = useState('');
  const [name, setName] = useState('');
  const [currency, setCurrency] = useState('EUR');
  const create = useAction({
    act: () =>
      api.post<Store>('/stores', {
        domain: domain.trim(),
        currency: currency.trim().toUpperCase(),
        // The domain is the name of a store without one.
        ...(name.trim() !== '' && { name: name.trim() }),
      }),
    said: (store) => `Store ${store.name} created.`,
    onDone: ({ id }) => void navigate({ to: '/stores/$storeId', params: { storeId: id } }),
    changes: ['stores'],
  });
  return (
    <FormDialog
      title="Create a store"
      action="Create the store"
      isBusy={create.isPending}
      isDisabled={domain.trim() === ''}
      error={create.error}
      fields={['domain', 'name', 'currency']}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        label="Domain"
        hint="The host by which apps reach the store, without https:// and without a port."
        placeholder="shop.example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        value={domain}
        fault={faultOf(create.error, 'domain')}
        onChange={(event) => setDomain(event.target.value)}
      />
      <Field
        label="Name (optional)"
        hint="The name your colleagues use. Default: the domain."
        autoComplete="off"
        value={name}
        fault={faultOf(create.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Currency"
        hint="Three-letter ISO 4217 code. It cannot be changed later."
        autoComplete="off"
        maxLength={3}
        value={currency}
        fault={faultOf(create.error, 'currency')}
        onChange={(event) => setCurrency(event.target.value)}
      />
    </FormDialog>
  );
};

export const CreateStore = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden /> Create a store
      </button>
      {isOpen && <Create onClose={() => setOpen(false)} />}
    </>
  );
};
