import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { postOnce } from '../../api/post-once.ts';
import type { VariantBulkResult } from '../../api/types.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { StockFields } from './stock-fields.tsx';
import { changeOf, draftOf, placesOf, type Variant, type VariantResult } from './variant-draft.ts';

/** The server has refused the change of the variant. */
class RefusedChange extends Error {
  constructor(readonly result: VariantResult) {
    super(result.error ?? '');
  }
}

interface EditProps {
  readonly storeId: string;
  readonly variant: Variant;
  readonly warehouseName: (id: string) => string | null;
  readonly onClose: () => void;
}

/** Changes the prices and the stock of a variant. Stock that others have changed meanwhile is shown, and the reader decides again. */
export const EditVariant = ({ storeId, variant: current, warehouseName, onClose }: EditProps) => {
  // The form keeps its initial variant. The page behind may read the product again.
  const [variant] = useState(current);
  const [draft, setDraft] = useState(() => draftOf(variant));
  const [places, setPlaces] = useState(() => placesOf(variant));
  const [send] = useState(() => postOnce<VariantBulkResult>(`/stores/${storeId}/variants/bulk`));
  const queries = useQueryClient();
  const change = changeOf(variant, draft, places);
  const save = useAction({
    act: async () => {
      const [result] = (await send({ variants: [change] })).results;
      if (!result || result.errorCode === null) return;
      if (result.errorCode === 'stale') {
        setPlaces((known) => known.map((at) => result.stock.find(({ warehouseId }) => warehouseId === at.warehouseId) ?? at));
        void queries.invalidateQueries({ queryKey: ['product', storeId] });
      }
      throw new RefusedChange(result);
    },
    said: 'Saved.',
    onDone: onClose,
    changes: ['product', 'products'],
  });
  const isStale = save.error instanceof RefusedChange && save.error.result.errorCode === 'stale';
  return (
    <FormDialog
      title={`Prices and stock of ${variant.sku}`}
      action={isStale ? 'Save again' : 'Save'}
      isBusy={save.isPending}
      isDisabled={change === null}
      error={isStale ? null : save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <div className="halves">
        <Field
          label={`Price in ${variant.currency}`}
          inputMode="decimal"
          autoComplete="off"
          value={draft.price}
          fault={draft.price.trim() === '' ? 'A variant has a price.' : null}
          onChange={({ target }) => setDraft({ ...draft, price: target.value })}
        />
        <Field
          label={`Price before in ${variant.currency} (optional)`}
          inputMode="decimal"
          autoComplete="off"
          value={draft.compareAtPrice}
          onChange={({ target }) => setDraft({ ...draft, compareAtPrice: target.value })}
        />
      </div>
      {isStale && (
        <Notice tone="warn" title="The stock has changed since you opened it">
          Nothing was saved. The present figures are below: check your change, and save it again.
        </Notice>
      )}
      {places.map((place, index) => (
        <StockFields
          key={place.warehouseId}
          storeId={storeId}
          place={place}
          name={warehouseName(place.warehouseId)}
          draft={draft.stock[index] ?? { mode: 'keep', text: '' }}
          onChange={(at) => setDraft({ ...draft, stock: draft.stock.map((old, nth) => (nth === index ? at : old)) })}
        />
      ))}
    </FormDialog>
  );
};
