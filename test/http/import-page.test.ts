import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { HELP_SECTION, SHOPS } from '../../src/adapters/http/import/other-file.ts';
import { COLUMNS } from '../../src/adapters/http/import/shopify-columns.ts';

const page = readFileSync('docs/import.md', 'utf8');

describe('docs/import.md', () => {
  it('describes each column that is read', () => {
    const named = page
      .replace('Option1 Name to Option3 Name', 'Option2 Name')
      .replace('Option1 Value to Option3 Value', 'Option2 Value');
    expect(COLUMNS.filter((column) => !named.includes(column) && !page.includes(column))).toEqual([]);
  });

  it('has the section that a refusal of another shop names, with a table for each of five shops', () => {
    const section = page.split(`## ${HELP_SECTION}\n`)[1] ?? '';
    const tables = [...section.matchAll(/^### (.+)$/gm)].map(([, shop]) => shop);
    expect(tables).toEqual(['WooCommerce', 'Medusa', 'Vendure', 'Odoo', 'Wix']);
    expect(Object.keys(SHOPS)).toEqual(expect.arrayContaining(tables));
  });
});
