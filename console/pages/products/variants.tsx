import { useState } from 'react';

import type { Product } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { May } from '../../parts/may.tsx';
import { Panel } from '../../parts/page.tsx';
import { None, Table, type Column } from '../../parts/table.tsx';
import { useWarehouseNames } from '../warehouses/queries.ts';
import { WarehouseName } from '../warehouses/warehouse-name.tsx';
import { EditVariant } from './edit-variant.tsx';
import { placesOf, type Place, type Variant } from './variant-draft.ts';
import { priceText } from './words.tsx';

/** A variant has a row for each location. The first has what belongs to the variant itself. */
interface Row {
  readonly variant: Variant;
  readonly place: Place;
  readonly isFirst: boolean;
}

/** The options' values that make the variant: `Natural / Large`. */
const choiceOf = (options: Product['options'], variant: Variant): string => {
  const names = new Map(options.flatMap(({ values }) => values.map(({ id, value }) => [id, value] as const)));
  return variant.optionValues.map(({ productOptionValueId }) => names.get(productOptionValueId) ?? '').join(' / ');
};

const rowsOf = (variants: readonly Variant[]): readonly Row[] =>
  variants.flatMap((variant) => placesOf(variant).map((place, index) => ({ variant, place, isFirst: index === 0 })));

interface Cells {
  readonly onEdit: (variant: Variant) => void;
  readonly warehouseName: (id: string) => string | null;
}

const columnsOf = ({ options, tenantId }: Product, { onEdit, warehouseName }: Cells): readonly Column<Row>[] => [
  {
    name: 'SKU',
    kind: 'tight',
    cell: ({ variant, isFirst }) =>
      isFirst && (
        <>
          <code>{variant.sku}</code>
          <div className="mute">{choiceOf(options, variant)}</div>
        </>
      ),
  },
  // Beside its name, so that it is seen on a phone.
  {
    name: '',
    kind: 'tight',
    cell: ({ variant, isFirst }) =>
      isFirst && (
        <May>
          <button type="button" className="button small" aria-label={`Edit ${variant.sku}`} onClick={() => onEdit(variant)}>
            Edit
          </button>
        </May>
      ),
  },
  {
    name: 'Price',
    kind: 'num',
    cell: ({ variant: { price, currency }, isFirst }) => isFirst && priceText(price, currency),
  },
  {
    name: 'Before',
    kind: 'num',
    cell: ({ variant: { compareAtPrice, currency }, isFirst }) =>
      isFirst && (compareAtPrice === null ? <None /> : <s>{priceText(compareAtPrice, currency)}</s>),
  },
  {
    name: 'Location',
    kind: 'tight',
    cell: ({ place: { warehouseId } }) => <WarehouseName storeId={tenantId} id={warehouseId} name={warehouseName(warehouseId)} />,
  },
  { name: 'Available', kind: 'num', cell: ({ place }) => place.available.toLocaleString() },
  { name: 'Reserved', kind: 'num', cell: ({ place }) => place.reserved.toLocaleString() },
  { name: 'On hand', kind: 'num', cell: ({ place }) => place.onHand.toLocaleString() },
  { name: 'Variant', kind: 'tight', cell: ({ variant, isFirst }) => isFirst && <Id value={variant.id} short /> },
];

/** The variants with their prices, and their stock by location. */
export const Variants = ({ product }: { readonly product: Product }) => {
  const { variants, tenantId } = product;
  const [edited, setEdited] = useState<Variant | null>(null);
  const warehouseName = useWarehouseNames(tenantId);
  return (
    <Panel title={`Variants (${variants.length.toLocaleString()})`} isFlush>
      {variants.length === 0 ? (
        <Empty title="No variants">A product without variants cannot be active.</Empty>
      ) : (
        <Table
          label="Variants"
          rows={rowsOf(variants)}
          keyOf={({ variant, place }) => `${variant.id} ${place.warehouseId}`}
          columns={columnsOf(product, { onEdit: setEdited, warehouseName })}
        />
      )}
      {edited && (
        <EditVariant storeId={tenantId} variant={edited} warehouseName={warehouseName} onClose={() => setEdited(null)} />
      )}
    </Panel>
  );
};
