import { describe, expect, it } from 'vitest';

import type { ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { imported, made } from '../../support/completed-product.ts';

const BLOCK = { key: 'care', title: 'Care', html: '<p>Oil.</p>' };
const after = (stored: Partial<ProductDocument>, line: Partial<ProductDocument>) =>
  imported({ name: 'Saw', ...line }, made({ name: 'Saw', ...stored }));

describe('the content blocks of an import', () => {
  it('are filled in from the stored blocks of the same key', () => {
    const other = { key: 'size', title: 'Size', html: '<p>cm</p>' };
    const { contentBlocks } = after(
      { contentBlocks: [BLOCK, other] },
      { contentBlocks: [{ key: 'size', title: 'New' }, { key: 'care' }] },
    );
    expect(contentBlocks).toEqual([{ ...other, title: 'New' }, BLOCK]);
  });

  it('are new where no stored block has their key', () => {
    const { contentBlocks } = after(
      { contentBlocks: [BLOCK] },
      { contentBlocks: [{ key: 'use', html: 'Saw.' }, { title: 'Care' }] },
    );
    expect(contentBlocks).toEqual([
      { key: 'use', title: '', html: 'Saw.' },
      { key: '1', title: 'Care', html: '' },
    ]);
  });

  it('are filled in within a translation too', () => {
    const texts = (more: object): ProductDocument['translations'] => ({ de: { name: 'Säge', ...more } });
    const { translations } = after(
      { translations: texts({ contentBlocks: [BLOCK] }) },
      { translations: texts({ contentBlocks: [{ key: 'care', title: 'Pflege' }] }) },
    );
    expect(translations['de']?.contentBlocks).toEqual([{ ...BLOCK, title: 'Pflege' }]);
  });

  it.each([
    ['are cleared by null', [BLOCK], null, null],
    ['are new where there were none', null, [{ key: 'care' }], [{ key: 'care', title: '', html: '' }]],
    ['stay where they are left out', [BLOCK], undefined, [BLOCK]],
  ])('%s in a translation', (_, stored, given, expected) => {
    const translation = (contentBlocks: typeof given | typeof stored) =>
      ({ translations: { de: { name: 'Säge', contentBlocks } } }) as Partial<ProductDocument>;
    const { translations } = after(translation(stored), translation(given));
    expect(translations['de']).toMatchObject({ name: 'Säge', contentBlocks: expected });
  });
});

describe('the translations of an import', () => {
  it('are filled in from those of the same locale, and replace the others', () => {
    const stored = { de: { name: 'Säge', description: 'Alt' }, fr: { name: 'Scie' } };
    const { translations } = after(
      { translations: stored },
      { translations: { de: { description: 'Neu' }, it: { name: 'Sega' } } },
    );
    expect(translations).toMatchObject({ de: { name: 'Säge', description: 'Neu' }, it: { name: 'Sega', description: null } });
    expect(Object.keys(translations)).toEqual(['de', 'it']);
  });

  it('keep a text that null clears from coming back', () => {
    const { translations } = after({ translations: { de: { name: 'Säge' } } }, { translations: { de: { name: null } } });
    expect(translations['de']?.name).toBeNull();
  });

  it('may have a locale of any name', () => {
    const odd = JSON.parse('{"__proto__": {"name": "a"}, "constructor": {"name": "b"}}') as ProductDocument['translations'];
    for (const translations of [{}, odd!]) {
      const names = Object.entries(after({ translations }, { translations: odd }).translations).map(([locale, { name }]) => [
        locale,
        name,
      ]);
      expect(names).toEqual([
        ['__proto__', 'a'],
        ['constructor', 'b'],
      ]);
    }
  });
});

describe('the options of a personalization field in an import', () => {
  const field = (...options: { value?: string; label?: string; surcharge?: number }[]): Partial<ProductDocument> => ({
    personalizationFields: [{ key: 'engraving', options }],
  });
  const optionsAfter = (stored: Partial<ProductDocument>, line: Partial<ProductDocument>) =>
    after(stored, line).personalizationFields[0]?.options;

  it('are filled in from the stored ones of the same value', () => {
    const stored = field({ value: 'back', label: 'Back', surcharge: 1 }, { value: 'front', label: 'Front', surcharge: 2 });
    expect(optionsAfter(stored, field({ value: 'front' }, { value: 'side' }))).toEqual([
      { value: 'front', label: 'Front', surcharge: 2 },
      { value: 'side', label: 'side', surcharge: 0 },
    ]);
  });

  it('stay where they are left out', () => {
    const stored = field({ value: 'back', label: 'Back', surcharge: 1 });
    expect(optionsAfter(stored, { personalizationFields: [{ key: 'engraving', required: true }] })).toEqual([
      { value: 'back', label: 'Back', surcharge: 1 },
    ]);
  });

  it('are not filled in by a put', () => {
    const stored = made({ name: 'Saw', ...field({ value: 'front', label: 'Front', surcharge: 2 }) });
    expect(made({ name: 'Saw', ...field({ value: 'front' }) }, stored).personalizationFields[0]?.options).toEqual([
      { value: 'front', label: 'front', surcharge: 0 },
    ]);
  });
});
