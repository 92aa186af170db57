const HEAD = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Tags',
  'Option1 Name',
  'Option1 Value',
  'Variant SKU',
  'Variant Grams',
  'Variant Inventory Qty',
  'Variant Price',
  'Variant Compare At Price',
  'Status',
];

const ROWS = [
  [
    'sample-linen-throw',
    'Linen throw',
    '<p>Washed linen.</p>',
    '"bedroom, linen"',
    'Colour',
    'Natural',
    'THROW-N',
    '900',
    '12',
    '89.00',
    '',
    'active',
  ],
  ['sample-linen-throw', '', '', '', '', 'Ink', 'THROW-I', '900', '3', '89.00', '110.00', ''],
  [
    'sample-oak-stool',
    'Oak stool',
    '<p>Solid oak.</p>',
    '"kitchen, oak"',
    'Title',
    'Default Title',
    'STOOL-1',
    '4200',
    '5',
    '145.00',
    '',
    'active',
  ],
  [
    'sample-tea-bowl',
    'Tea bowl',
    '<p>Thrown by hand.</p>',
    'kitchen',
    'Title',
    'Default Title',
    'BOWL-1',
    '310',
    '24',
    '28.50',
    '',
    'draft',
  ],
];

/** Three products as Shopify exports them. A longer file is in the repository: examples/sample-catalogue.csv. */
export const sampleCatalogue = (): File =>
  new File([[HEAD, ...ROWS].map((row) => row.join(',')).join('\n'), '\n'], 'sample-catalogue.csv', { type: 'text/csv' });
