import { useState } from 'react';

import { changedOf } from '../../api/changed.ts';
import { api } from '../../api/client.ts';
import { faultOf } from '../../api/problem.ts';
import type { Store } from '../../api/types.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useMay } from '../../parts/may.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';

interface ChangeProps {
  readonly store: Store;
  readonly onClose: () => void;
}

export const ChangeStore = ({ store, onClose }: ChangeProps) => {
  // The form keeps its initial values: a colleague's change is read again, and is not this person's change.
  const [before] = useState({ name: store.name, domain: store.domain });
  const mayMove = useMay({ everywhere: true }) === true;
  const [name, setName] = useState(before.name);
  const [domain, setDomain] = useState(before.domain);
  const changed = changedOf(before, { name: name.trim(), domain: domain.trim().toLowerCase() });
  const change = useAction({
    act: () => api.patch(`/stores/${store.id}`, changed),
    said: 'Store changed.',
    onDone: onClose,
    changes: ['stores'],
  });
  const isMoving = changed.domain !== undefined;
  return (
    <FormDialog
      title={`Change ${store.name}`}
      action="Change the store"
      isBusy={change.isPending}
      isDisabled={name.trim() === '' || domain.trim() === '' || Object.keys(changed).length === 0}
      error={change.error}
      fields={['name', 'domain']}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        autoComplete="off"
        autoFocus
        value={name}
        fault={faultOf(change.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Domain"
        hint={
          mayMove
            ? 'The host by which apps reach the store, without https:// and without a port.'
            : 'To change it, you need access to all stores.'
        }
        readOnly={!mayMove}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={domain}
        fault={faultOf(change.error, 'domain')}
        onChange={(event) => setDomain(event.target.value)}
      />
      {isMoving && (
        <Notice tone="warn" title="Apps must use the new domain">
          From the next request, the store is found by the new domain alone. Apps that still call {before.domain} are refused.
        </Notice>
      )}
    </FormDialog>
  );
};
