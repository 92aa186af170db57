import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long: they run suites of other files, or wait. The longest first. */
const LONG = [
  'test/architecture/shared-memory.test.ts',
  'test/contract/postgresql/deliveries.test.ts',
  'test/contract/memory/storage.test.ts',
  'test/contract/postgresql/',
  'test/console/busy.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((path) => moduleId.includes(path));
  return place < 0 ? LONG.length : place;
};

/**
 * Without times from an earlier run, Vitest takes the largest files first. A small one that takes long would begin at the end, and all
 * other workers wait for it.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
