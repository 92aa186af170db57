import { useState } from 'react';

import { addPasskey } from '../../api/passkey.ts';
import { faultOf } from '../../api/problem.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useAction } from '../../parts/use-action.ts';
import { METHODS } from './queries.ts';

const Adding = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState('');
  const add = useAction({
    act: () => addPasskey(name.trim()),
    said: ({ name: added }) => `${added} signs you in from now on.`,
    onDone: onClose,
    changes: [METHODS],
  });
  return (
    <FormDialog
      title="Add a passkey"
      action="Add the passkey"
      isBusy={add.isPending}
      isDisabled={name.trim() === ''}
      error={add.error}
      fields={['name']}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Where the passkey is, for example “work laptop”. Your browser then asks for your fingerprint, face or PIN."
        required
        autoFocus
        autoComplete="off"
        value={name}
        fault={faultOf(add.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
};

export const AddPasskey = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setOpen(true)}>
        Add a passkey
      </button>
      {isOpen && <Adding onClose={() => setOpen(false)} />}
    </>
  );
};
