import { expect } from 'vitest';

import { saveProducts } from '../../src/application/catalogue/save-products.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import type { JsonDocument } from '../../src/domain/reading.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { Product, ProductDocument } from '../../src/domain/catalogue/product.ts';
import type { World } from './worlds.ts';

export interface CatalogueWorld extends Omit<World, 'ports'> {
  readonly ports: World['ports'] & Pick<Ports, 'productReader' | 'collectionReader'>;
  readonly nextId: () => string;
  /** Saves through the repository; every document must be good. */
  readonly saved: (storeId: string, ...documents: ProductDocument[]) => Promise<Product[]>;
}

/** The world with a way to save documents. */
export const withSaving = (world: World): CatalogueWorld => {
  const ids = sequentialIds();
  const clock = manualClock(Date.parse('2026-02-01T00:00:00.000Z'));
  const save = saveProducts({ clock, ids, transaction: world.ports.transaction });
  return {
    ...world,
    ports: world.ports as CatalogueWorld['ports'],
    nextId: () => ids.next(),
    saved: async (storeId, ...documents) => {
      const results = await save(null, storeId, documents);
      return results.map((result) => (result.ok ? result.value.product : expect.fail(result.message)));
    },
  };
};

/** Parses a reader's answer. */
export const contentOf = (document: JsonDocument | null): unknown =>
  document && (JSON.parse(Buffer.from(document.bytes ?? []).toString()) as unknown);

/** A document that uses every list. */
export const aFullDocument = (componentProductId: string): ProductDocument => ({
  name: 'Dovetail saw',
  status: 'Active',
  tags: ['saws'],
  category: { name: 'Saws', slug: 'saws', parent: { name: 'Tools' } },
  taxClass: { name: 'Standard', code: 'std' },
  contentBlocks: [{ key: 'care', title: 'Care', html: '<p>Oil it.</p>' }],
  translations: { de: { name: 'Schwalbenschwanzsäge' } },
  options: [{ name: 'Length', values: [{ value: '240' }, { value: '280' }] }],
  variants: [
    {
      sku: 'SAW-280',
      currency: 'EUR',
      price: 62.5,
      optionValues: [{ option: 'Length', value: '280' }],
      inventory: [{ available: 5 }],
    },
    { sku: 'SAW-240', currency: 'EUR', price: 58, optionValues: [{ value: '240' }], inventory: [{ onHand: 4, reserved: 1 }] },
  ],
  media: [{ url: 'https://cdn.test/saw.jpg', altText: 'A saw', variantSku: 'SAW-240', sizeBytes: 5_000_000_000 }],
  specifications: [{ name: 'Teeth', value: '15 per inch' }],
  personalizationFields: [{ key: 'engraving', options: [{ label: 'Front' }] }],
  digitalAssets: [{ fileName: 'manual.pdf' }],
  productCategories: [{ category: { name: 'Gifts' } }],
  bundleComponents: [{ componentProductId, allowedVariants: [{ productVariantId: componentProductId }] }],
});
