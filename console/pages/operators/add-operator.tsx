import { useState } from 'react';

import { Plus } from '../../icons/index.ts';
import { api } from '../../api/client.ts';
import { faultOf } from '../../api/problem.ts';
import type { Operator } from '../../api/types.ts';
import { Field, Select } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useAction } from '../../parts/use-action.ts';
import { StoreLimits } from './store-limits.tsx';
import { ROLE, ROLES } from './words.ts';

interface AddProps {
  readonly onAdded: (id: string) => void;
  readonly onClose: () => void;
}

const Add = ({ onAdded, onClose }: AddProps) => {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Operator['role']>('viewer');
  const [storeIds, setStoreIds] = useState<readonly string[]>([]);
  const isLimited = role !== 'owner' && storeIds.length > 0;
  const add = useAction({
    act: () =>
      api.post<Operator>('/operators', {
        name: name.trim(),
        email: email.trim() || null,
        role,
        storeIds: isLimited ? storeIds : null,
      }),
    said: (operator) => `${operator.name} added. Create a sign-in link for them now.`,
    onDone: ({ id }) => onAdded(id),
    changes: ['operators'],
  });
  return (
    <FormDialog
      title="Add an operator"
      action="Add the operator"
      isBusy={add.isPending}
      isDisabled={name.trim() === ''}
      error={add.error}
      fields={['name', 'email']}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="A person, or a machine such as “Deployment”. The list of changes shows it."
        autoComplete="off"
        required
        autoFocus
        value={name}
        fault={faultOf(add.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Email (optional)"
        hint="Nothing is sent to it. Where operators sign in by OpenID Connect, the account with this verified address may sign in as this operator."
        type="email"
        autoComplete="off"
        value={email}
        fault={faultOf(add.error, 'email')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Select
        label="Role"
        isLabelShown
        options={ROLES.map((one) => [one, ROLE[one].name] as const)}
        chosen={role}
        onChange={setRole}
      />
      <p className="hint">{ROLE[role].may}</p>
      {role !== 'owner' && <StoreLimits storeIds={storeIds} onChange={setStoreIds} />}
    </FormDialog>
  );
};

export const AddOperator = ({ onAdded }: Pick<AddProps, 'onAdded'>) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden /> Add an operator
      </button>
      {isOpen && (
        <Add
          onAdded={(id) => {
            setOpen(false);
            onAdded(id);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};
