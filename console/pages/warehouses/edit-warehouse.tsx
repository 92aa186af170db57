import { useState } from 'react';

import { changedOf } from '../../api/changed.ts';
import { api } from '../../api/client.ts';
import { faultOf } from '../../api/problem.ts';
import type { Warehouse, WarehouseReport } from '../../api/types.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useAction } from '../../parts/use-action.ts';

interface EditProps {
  readonly storeId: string;
  readonly warehouse: Warehouse;
  readonly onClose: () => void;
}

const FIELDS = ['name', 'code', 'country'] as const;

const textsOf = ({ id, name, code, country }: Warehouse) => ({
  ...{ name: name === id ? '' : name, code: code ?? '', country: country ?? '' },
});

/** Names a warehouse. An empty field is cleared. */
export const EditWarehouse = ({ storeId, warehouse, onClose }: EditProps) => {
  // The form keeps its initial values: a colleague's change is read again, and is not this person's change.
  const [before] = useState(() => textsOf(warehouse));
  const [texts, setTexts] = useState(before);
  const { name, code, country } = texts;
  const changed = changedOf(before, { name: name.trim(), code: code.trim(), country: country.trim().toUpperCase() });
  const save = useAction({
    act: () => {
      const change = Object.fromEntries(Object.entries(changed).map(([field, text]) => [field, text === '' ? null : text]));
      return api.put<WarehouseReport>(`/stores/${storeId}/warehouses`, { warehouses: [{ id: warehouse.id, ...change }] });
    },
    said: 'Saved.',
    onDone: onClose,
    changes: ['warehouses'],
  });
  const at = (field: (typeof FIELDS)[number]): string => `warehouses[0].${field}`;
  return (
    <FormDialog
      title={`Warehouse ${warehouse.name}`}
      action="Save"
      isBusy={save.isPending}
      isDisabled={Object.keys(changed).length === 0}
      error={save.error}
      fields={FIELDS.map(at)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Without a name, it is shown by its id."
        autoComplete="off"
        autoFocus
        value={name}
        fault={faultOf(save.error, at('name'))}
        onChange={({ target }) => setTexts({ ...texts, name: target.value })}
      />
      <div className="halves">
        <Field
          label="Code (optional)"
          autoComplete="off"
          value={code}
          fault={faultOf(save.error, at('code'))}
          onChange={({ target }) => setTexts({ ...texts, code: target.value })}
        />
        <Field
          label="Country (optional)"
          hint="Two letters, such as DE."
          autoComplete="off"
          value={country}
          fault={faultOf(save.error, at('country'))}
          onChange={({ target }) => setTexts({ ...texts, country: target.value })}
        />
      </div>
    </FormDialog>
  );
};
