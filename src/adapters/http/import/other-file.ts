import { nameMeant } from '../../../domain/values/nearest-name.ts';
import { COLUMN_NAMES, type Column, type Header } from './shopify-columns.ts';

/** Columns that only an export of this shop has: all names of one of the lists, in lower case. */
export const SHOPS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  WooCommerce: [
    ['visibility in catalog'],
    ['sku', 'regular price', 'sale price'],
    ['sichtbarkeit im katalog'],
    ['видимость в каталоге'],
  ],
  Medusa: [['product handle', 'product title']],
  Vendure: [['optiongroups', 'optionvalues']],
  Odoo: [
    ['internal reference', 'sales price'],
    ['default_code', 'list_price'],
  ],
  Wix: [['handleid', 'fieldtype']],
  Magento: [
    ['sku', 'attribute_set_code'],
    ['sku', '_attribute_set'],
  ],
  PrestaShop: [['active (0/1)'], ['price tax excluded']],
  BigCommerce: [['product code/sku'], ['item type', 'product name'], ['item', 'id', 'name', 'type', 'sku']],
  Squarespace: [['product id [non editable]']],
};

/** Section of docs/import.md. */
export const HELP_SECTION = 'Files of other shops';
const HELP = `docs/import.md says how to convert it ("${HELP_SECTION}").`;
const REQUIRED = ['Handle', 'Title'] as const satisfies readonly Column[];

const isSeparatedByBars = ({ names }: Header): boolean => names.length === 1 && names[0]?.includes('|') === true;

const meant = (header: Header, missing: readonly Column[]): string => {
  const names = [...COLUMN_NAMES].flatMap(([name, column]) => (missing.includes(column) ? [name] : []));
  const hints = header.names.flatMap((given) => {
    const name = nameMeant(given, names);
    return name === null ? [] : [`Write ${name} for ${JSON.stringify(given)}.`];
  });
  return hints.length > 0 ? hints.join(' ') : 'docs/import.md lists the columns.';
};

/** Says why the file is not a Shopify product export, and what to do. Null when it is one. */
export const otherFile = (header: Header): string | null => {
  const missing = REQUIRED.filter((column) => !header.places.has(column));
  if (missing.length === 0) return null;
  const given = new Set(header.names.map((name) => name.toLowerCase()));
  const shop = Object.entries(SHOPS).find(([, lists]) => lists.some((names) => names.every((name) => given.has(name))));
  if (shop)
    return `This looks like ${/^[AEIOU]/.test(shop[0]) ? 'an' : 'a'} ${shop[0]} export. Tenon reads Shopify product exports. ${HELP}`;
  if (isSeparatedByBars(header)) {
    return 'The names of the columns are separated by "|". Separate cells with commas, semicolons or tabs.';
  }
  return `This is not a Shopify product export: it has no column ${missing.join(' and no column ')}. ${meant(header, missing)}`;
};
