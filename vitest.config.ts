import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['test/{domain,application,faults}/**/*.test.ts'],
          pool: 'threads',
          // No module keeps state between tests, and loading them anew for each file costs more than all tests (measured: 206 s or 58 s).
          isolate: false,
        },
      },
      {
        test: {
          name: 'services',
          sequence: { groupOrder: 1 },
          include: ['test/{contract,http,e2e,architecture}/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          // Projects that differ in maxWorkers must run one after the other.
        },
      },
    ],
  },
});
