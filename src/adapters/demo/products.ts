import type { ProductDocument } from '../../domain/catalogue/product.ts';
import { at, base, demoNumberOf, productId, slugOf, variant, variantId } from './parts.ts';
import { BUNDLES, DIGITAL, GOODS, WRAPS, type DigitalRow, type GoodsRow } from './tables.ts';

const SWATCHES: Readonly<Record<string, string>> = { Black: '#1b1b1b', Natural: '#d8b98a', Indigo: '#2b3a67', Flax: '#d9c9a3' };

const options = (optionName: string, values: readonly string[]): ProductDocument['options'] => [
  {
    name: optionName,
    position: 1,
    translations: optionName === 'Length' ? { 'de-DE': { name: 'Länge' } } : {},
    values: values.map((value, index) => ({
      value,
      position: index + 1,
      swatchHex: SWATCHES[value] ?? null,
      swatchImageKey: optionName === 'Colour' ? `demo/swatches/${slugOf(value)}.png` : null,
      translations: value === 'Black' ? { 'de-DE': { value: 'Schwarz' } } : {},
    })),
  },
];

const engraving: ProductDocument['personalizationFields'] = [
  {
    key: 'initials',
    label: 'Initials',
    helpText: 'Stamped into the handle.',
    placeholder: 'A. B.',
    maxLength: 6,
    position: 1,
    required: false,
    surcharge: 4.5,
    type: 'Text',
    translations: {
      'de-DE': { label: 'Initialen', helpText: 'In den Griff geprägt.', placeholder: 'A. B.', optionLabels: null },
    },
  },
  {
    key: 'handle',
    label: 'Handle wood',
    position: 2,
    required: true,
    surcharge: 0,
    type: 'Select',
    options: [
      { label: 'Ash', value: 'ash', surcharge: 0 },
      { label: 'Boxwood', value: 'boxwood', surcharge: 12 },
    ],
    translations: {
      'de-DE': { label: 'Griffholz', helpText: null, placeholder: null, optionLabels: { ash: 'Esche', boxwood: 'Buchsbaum' } },
    },
  },
  { key: 'angle', label: 'Bevel angle', minValue: 20, maxValue: 35, position: 3, required: false, surcharge: 2, type: 'Number' },
];

const showpiece: Partial<ProductDocument> = {
  countdownDiscountPercent: 15,
  countdownStartsAt: at(24 * 300),
  countdownEndsAt: at(24 * 400),
  translations: {
    'de-DE': {
      name: 'Einhandhobel',
      description: '<p>Für Hirnholz und Fasen, mit einer Hand.</p>',
      metaTitle: 'Einhandhobel',
      metaDescription: 'Für Hirnholz und Fasen.',
      contentBlocks: [{ key: 'care', title: 'Pflege', html: '<p>Trocken halten und ab und zu ölen.</p>' }],
      updatedAt: at(30),
    },
  },
};

const goods = ([name, category, price, grams, option, list, tags, text]: GoodsRow, currency: string): ProductDocument => {
  const values = list.split('|');
  return {
    ...base(name, 'Physical', category, text, tags.split(',')),
    groupKey: category,
    sizeGuideHtml:
      option === 'Length' || option === 'Width' ? '<p>Sizes are finished sizes, give or take half a millimetre.</p>' : null,
    contentBlocks: [{ key: 'care', title: 'Care', html: '<p>Keep it dry, and oil it now and then.</p>' }],
    specifications: [
      {
        name: 'Made in',
        value: 'Our own shop',
        position: 1,
        translations: { 'de-DE': { name: 'Hergestellt in', value: 'Eigener Werkstatt' } },
      },
      { name: 'Weight', value: `${grams} g`, position: 2 },
    ],
    options: options(option, values),
    variants: values.map((value, index) =>
      variant(
        { name, index, price, grams, stock: 5 + ((demoNumberOf(name) * 7 + index * 11) % 60), choice: { option, value } },
        currency,
      ),
    ),
    ...(category === 'chisels' ? { personalizationFields: engraving } : {}),
    ...(name === 'Block plane' ? showpiece : {}),
  };
};

const digital = (
  [name, category, price, fileName, contentType, sizeBytes, text]: DigitalRow,
  currency: string,
): ProductDocument => ({
  ...base(name, 'Digital', category, text, ['download', category]),
  downloadLimit: 5,
  downloadExpiryDays: 90,
  digitalAssets: [{ fileName, contentType, sizeBytes, storageKey: `demo/files/${fileName}` }],
  variants: [variant({ name, index: 0, price, grams: 0, stock: 0 }, currency)],
});

const wrap = ([name, price, list]: (typeof WRAPS)[number], currency: string): ProductDocument => ({
  ...base(name, 'GiftWrap', 'gifts', 'Wrapped by hand at the end of the bench.', ['gift']),
  options: options('Colour', list.split('|')),
  personalizationFields: [
    { key: 'note', label: 'A note', maxLength: 200, position: 1, required: false, surcharge: 0, type: 'Textarea' },
  ],
  variants: list
    .split('|')
    .map((value, index) => variant({ name, index, price, grams: 120, stock: 40, choice: { option: 'Colour', value } }, currency)),
});

const bundle = ([name, price, parts]: (typeof BUNDLES)[number], currency: string): ProductDocument => ({
  ...base(name, 'Bundle', 'gifts', `${parts.join(', ')}: together for less.`, ['kit', 'gift']),
  bundleComponents: parts.map((part, index) => ({
    componentProductId: productId(part),
    position: index + 1,
    allowedVariants: [{ productVariantId: variantId(part, 0) }],
  })),
  variants: [variant({ name, index: 0, price, grams: 2_000, stock: 12 }, currency)],
});

export const demoProducts = (currency: string): ProductDocument[] => [
  ...GOODS.map((row) => goods(row, currency)),
  ...DIGITAL.map((row) => digital(row, currency)),
  ...WRAPS.map((row) => wrap(row, currency)),
  ...BUNDLES.map((row) => bundle(row, currency)),
];
