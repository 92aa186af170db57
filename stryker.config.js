/**
 * Mutation testing: `npm run mutation`, or `npm run mutation -- --mutate <files>`.
 * Everything it writes goes under data/, which the other tools ignore.
 */
export default {
  mutate: ['src/{domain,application}/**/*.ts', '!src/domain/ports/**', '!src/**/index.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // A busy machine must not count a slow test as a killed mutant. Loops without end are stopped by their count.
  timeoutMS: 30_000,
  // The tests run once as they are, before the first mutant.
  dryRunTimeoutMinutes: 30,
  incremental: true,
  incrementalFile: 'data/mutation/incremental.json',
  tempDirName: 'data/mutation/sandbox',
  ignorePatterns: ['data', 'dist'],
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
  htmlReporter: { fileName: 'data/mutation/report.html' },
  jsonReporter: { fileName: 'data/mutation/report.json' },
  thresholds: { high: 98, low: 95, break: 95 },
};
