import { expect, it } from 'vitest';

import { ImportedLines } from '../../../src/domain/catalogue/imported-lines.ts';
import { Lookup } from '../../../src/domain/catalogue/taxonomy.ts';

const saw = { code: 'saw', alias: 'cutter' };
const plane = { code: 'plane', alias: null };
const knife = { code: 'knife', alias: 'cutter' };
const tools = () => new Lookup([saw, plane, knife], ({ code, alias }) => [code, alias]);

it('a lookup finds a record by any of its keys', () => {
  expect([tools().find('saw'), tools().find('cutter'), tools().find('plane')]).toEqual([saw, saw, plane]);
});

it('a lookup finds the first of the records with one key, also after another is added', () => {
  const lookup = tools();
  const other = { code: 'saw', alias: 'blade' };
  lookup.add(other);
  expect(lookup.find('cutter')).toBe(saw);
  expect(lookup.find('saw')).toBe(saw);
  expect(lookup.find('blade')).toBe(other);
});

it('a lookup tries the keys in their order and skips those that no record has', () => {
  expect(tools().find('knife', 'saw')).toBe(knife);
  expect(tools().find('axe', null, 'plane')).toBe(plane);
});

it('a lookup finds nothing by an unknown key, by null, or without a key', () => {
  expect([tools().find('axe'), tools().find(null), tools().find()]).toEqual([undefined, undefined, undefined]);
});

it('the lines of a file are found by the whole id of the product, also when ids end alike', () => {
  const lines = new ImportedLines();
  expect(lines.lineOf('product-a7')).toBeUndefined();
  lines.add('product-a7', 3);
  lines.add('product-b7', 5);
  lines.add('product-b8', 9);
  expect(['product-a7', 'product-b7', 'product-b8', 'product-c7'].map((id) => lines.lineOf(id))).toEqual([3, 5, 9, undefined]);
});
