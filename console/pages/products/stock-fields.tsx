import { Field, Select } from '../../parts/field.tsx';
import { WarehouseName } from '../warehouses/warehouse-name.tsx';
import { nextStock, stockFault, type Place, type StockDraft } from './variant-draft.ts';

const MODES = [
  ['keep', 'Keep it'],
  ['set', 'Set it to'],
  ['adjust', 'Add or remove'],
] as const satisfies readonly (readonly [StockDraft['mode'], string])[];

interface StockFieldsProps {
  readonly storeId: string;
  readonly place: Place;
  /** Null for a warehouse without one. */
  readonly name: string | null;
  readonly draft: StockDraft;
  readonly onChange: (draft: StockDraft) => void;
}

/** The stock at one location, and how to change it. */
export const StockFields = ({ storeId, place, name, draft, onChange }: StockFieldsProps) => {
  const { warehouseId, available, reserved, onHand } = place;
  const next = nextStock(draft, place);
  const fault = stockFault(draft, place);
  return (
    <fieldset>
      <legend>
        {warehouseId === storeId && name === null ? (
          'Stock at the default location'
        ) : (
          <>
            Stock at <WarehouseName storeId={storeId} id={warehouseId} name={name} />
          </>
        )}
      </legend>
      <p className="mute">
        {available.toLocaleString()} available, {reserved.toLocaleString()} reserved, {onHand.toLocaleString()} on hand
      </p>
      <div className="halves">
        <Select
          label="Change"
          options={MODES}
          chosen={draft.mode}
          onChange={(mode) => onChange({ ...draft, mode })}
          isLabelShown
        />
        {draft.mode !== 'keep' && (
          <Field
            label={draft.mode === 'set' ? 'Available from now on' : 'How many, or less with a minus'}
            inputMode={draft.mode === 'set' ? 'numeric' : 'text'}
            autoComplete="off"
            value={draft.text}
            fault={fault}
            onChange={({ target }) => onChange({ ...draft, text: target.value })}
            {...(next !== null &&
              fault === null && { hint: `${available.toLocaleString()} → ${next.toLocaleString()} available` })}
          />
        )}
      </div>
    </fieldset>
  );
};
