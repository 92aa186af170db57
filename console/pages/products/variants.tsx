import type { Product } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Panel } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { priceText } from './words.tsx';

type Variant = Product['variants'][number];

const total = (variant: Variant, of: 'available' | 'reserved' | 'onHand'): string =>
  variant.inventory.reduce((sum, stock) => sum + stock[of], 0).toLocaleString();

/** The options' values that make the variant: `Natural / Large`. */
const choiceOf = (options: Product['options'], variant: Variant): string => {
  const names = new Map(options.flatMap(({ values }) => values.map(({ id, value }) => [id, value] as const)));
  return variant.optionValues.map(({ productOptionValueId }) => names.get(productOptionValueId) ?? '').join(' / ');
};

/** The variants with their prices and their stock. */
export const Variants = ({ product: { variants, options } }: { readonly product: Product }) => (
  <Panel title={`Variants (${variants.length.toLocaleString()})`} isFlush>
    {variants.length === 0 ? (
      <Empty title="No variants">A product without variants cannot be active.</Empty>
    ) : (
      <Table
        label="Variants"
        rows={variants}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'SKU',
            kind: 'tight',
            cell: (variant) => (
              <>
                <code>{variant.sku}</code>
                <div className="mute">{choiceOf(options, variant)}</div>
              </>
            ),
          },
          { name: 'Price', kind: 'num', cell: ({ price, currency }) => priceText(price, currency) },
          {
            name: 'Before',
            kind: 'num',
            cell: ({ compareAtPrice, currency }) =>
              compareAtPrice === null ? <span className="mute">–</span> : <s>{priceText(compareAtPrice, currency)}</s>,
          },
          { name: 'Available', kind: 'num', cell: (variant) => total(variant, 'available') },
          { name: 'Reserved', kind: 'num', cell: (variant) => total(variant, 'reserved') },
          { name: 'On hand', kind: 'num', cell: (variant) => total(variant, 'onHand') },
          { name: 'Variant', kind: 'tight', cell: ({ id }) => <Id value={id} short /> },
        ]}
      />
    )}
  </Panel>
);
