import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';

import type { DemoCatalogue } from '../../application/fill-store.ts';
import type { ProductDocument } from '../../domain/catalogue/product.ts';
import { readDocument } from '../http/catalogue/product-imports.ts';
import { readNdjson } from '../http/import/ndjson.ts';

/** An invented joinery shop. Its ids are the same on every machine, so that examples can be pasted. The path is valid from `dist` and from `src`. */
const FOLDER = new URL('../../../examples/demo-store/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

type DemoProduct = ProductDocument & { readonly id: string };

/** The products of the file, in its order. */
export const demoProducts = (): readonly DemoProduct[] =>
  read('products.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DemoProduct);

/** The records of the demo store. The file of its products has prices in euros. */
export const demoCatalogue = (currency: string): DemoCatalogue => ({
  ...(JSON.parse(read('store.json')) as Omit<DemoCatalogue, 'products'>),
  products: readNdjson(
    Readable.from([Buffer.from(read('products.ndjson').replaceAll('"currency":"EUR"', `"currency":"${currency}"`))]),
    readDocument,
  ),
});
