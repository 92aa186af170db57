import { describe, expect, it } from 'vitest';

import { ReportBuilder } from '../../../src/application/catalogue/import-report.ts';
import type { SavedProduct, SaveResult } from '../../../src/application/catalogue/save-products.ts';
import { NO_COUNTS, type FoundProduct } from '../../../src/domain/catalogue/product-import.ts';
import { ok, refuse } from '../../../src/domain/result.ts';

const found = (line: number, more: Partial<FoundProduct> = {}): FoundProduct => ({ line, document: { name: 'Saw' }, ...more });
const saved = (outcome: SavedProduct['outcome']): SaveResult => ok({ outcome, product: {} as SavedProduct['product'] });

describe('the report of an import', () => {
  it('counts each outcome, and lists what failed and the notes of what was saved', () => {
    const report = new ReportBuilder();
    const note = { line: 2, message: 'cut' };
    report.add(
      [
        found(1),
        found(2, { notes: [note] }),
        found(3),
        { line: 4, message: 'no JSON' },
        found(5, { notes: [{ line: 5, message: 'not saved' }] }),
        { about: { line: 1, message: 'the file' } },
      ],
      [saved('created'), saved('updated'), saved('unchanged'), refuse('invalid', 'bad')],
    );
    const counts = { ...NO_COUNTS, read: 5, created: 1, updated: 1, unchanged: 1, failed: 2 };
    expect(report.progress()).toEqual({ ...counts, nextLine: 6 });
    expect(report.whole()).toEqual({
      ...{ ...counts, ended: 'complete', nextLine: null, wouldRemove: null },
      errors: [
        { line: 4, message: 'no JSON' },
        { line: 5, message: 'bad' },
      ],
      notes: [{ line: 1, message: 'the file' }, note],
    });
  });

  it.each([
    ['server', 'The server stopped.'],
    ['access', 'Your access to the store ended.'],
  ] as const)('says why it was stopped, where, and what to do: %s', (by, why) => {
    const report = new ReportBuilder();
    report.add([found(1)], [saved('created')]);
    report.stop(by);
    expect(report.whole()).toEqual({
      ...{ ...NO_COUNTS, read: 2, created: 1, failed: 1, ended: 'stopped', nextLine: 2, wouldRemove: null, notes: [] },
      errors: [
        {
          line: 2,
          message:
            `${why} What comes before line 2 is done, and the rest of the file was not read. ` +
            'Send the same file again: what is imported already does not change.',
        },
      ],
    });
  });

  it('has the reason of its end first, also after 1,000 failures', () => {
    const report = new ReportBuilder();
    const bad = Array.from({ length: 1_001 }, (_, at) => ({ line: at + 1, message: 'bad' }));
    report.add([...bad, { line: 1_002, message: 'No columns.', refusesFile: true as const }], []);
    const { errors, ended, failed } = report.whole();
    expect([ended, failed, errors.length]).toEqual(['refused', 1_002, 1_000]);
    expect(errors.slice(0, 2).map(({ message }) => message)).toEqual(['No columns.', 'bad']);
  });

  it('keeps the first 1,000 failures while the import runs', () => {
    const report = new ReportBuilder();
    const bad = Array.from({ length: 1_001 }, (_, at) => ({ line: at + 1, message: 'bad' }));
    report.add(bad, []);
    expect(report.failures()).toEqual(bad.slice(0, 1_000));
    expect(report.progress().failed).toBe(1_001);
  });
});
