import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

import { citusAvailable } from './test/support/citus-available.ts';
import { WriteContractReport } from './test/support/contract-report.ts';
import { FailureReport } from './test/support/failure-report.ts';
import { LongestFirst } from './test/support/longest-first.ts';

/**
 * A machine that does something else as well must not fail a test: waits are long, and only end
 * early.
 */
const patient = { testTimeout: 120_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000, interval: 20 } } };

/** These tests start PostgreSQL and processes of Tenon. */
const services = {
  ...patient,
  globalSetup: ['test/support/global-setup.ts'],
  isolate: false,
  // The collection of short-lived objects took 16 % of the time of a worker. With more room for them it takes 8 %.
  execArgv: ['--max-semi-space-size=64'],
};

/** A rule that PostgreSQL judges. */
const DESCRIBES_STATEMENTS = 'test/architecture/statements.test.ts';

/** Vitest's own choice leaves one processor idle. */
const maxWorkers = availableParallelism();

/** Also what mutation testing runs (vitest.mutation.config.ts). */
export const unit = {
  ...patient,
  name: 'unit',
  sequence: { groupOrder: 0 },
  include: ['test/{domain,application,adapters,tools}/**/*.test.ts', 'clients/typescript/test/**/*.test.ts'],
  pool: 'threads' as const,
  maxWorkers,
  // No module keeps state between tests, and loading them again for each file takes longer than all tests (206 s against 58 s).
  isolate: false,
};

const failureReport = process.env['FAILED_TESTS'];
const contractReport = process.env['CONTRACT_REPORT'];

export default defineConfig({
  test: {
    reporters: [
      'default',
      ...(failureReport === undefined ? [] : [new FailureReport(failureReport)]),
      ...(contractReport === undefined ? [] : [new WriteContractReport(contractReport)]),
    ],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: unit },
      {
        // The rules read the repository: its code, documents and packages. Only one of them needs PostgreSQL.
        test: {
          ...patient,
          name: 'rules',
          sequence: { groupOrder: 0 },
          include: ['test/architecture/**/*.test.ts'],
          exclude: [DESCRIBES_STATEMENTS],
          pool: 'threads' as const,
          maxWorkers,
          isolate: false,
        },
      },
      {
        // The examples import tenon-client by its name.
        resolve: { tsconfigPaths: true },
        test: {
          ...services,
          name: 'services',
          sequence: { groupOrder: 1 },
          include: ['test/{contract,http,e2e}/**/*.test.ts', DESCRIBES_STATEMENTS],
          // Services wait for processes and timers most of the time. Projects that differ in
          // maxWorkers run one after the other.
          maxWorkers: 3,
        },
      },
      {
        // `npm run test:console`: a real browser, Debian's chromium.
        test: {
          ...services,
          name: 'console',
          sequence: { groupOrder: 2 },
          include: ['test/console/**/*.test.ts'],
          maxWorkers: 2,
        },
      },
      {
        // `npm run test:citus`: what PostgreSQL is asked by contract, asked of a coordinator of Citus with two workers.
        resolve: { tsconfigPaths: true },
        test: {
          ...services,
          name: 'citus',
          globalSetup: ['test/support/citus-setup.ts'],
          sequence: { groupOrder: 6 },
          include: ['test/citus/**/*.test.ts', 'test/{contract/postgresql,e2e}/**/*.test.ts'],
          exclude: citusAvailable ? [] : ['**'],
          maxWorkers: 1,
        },
      },
      {
        // `npm run test:long`: what takes long and judges no times.
        resolve: { tsconfigPaths: true },
        test: {
          ...services,
          name: 'long',
          sequence: { groupOrder: 4 },
          include: ['test/long/**/*.test.ts'],
          // Long tests wait for processes most of the time.
          maxWorkers: 4,
        },
      },
      {
        // `npm run test:planted`: campaigns with a bug in them. They prove the judge, and not the product.
        resolve: { tsconfigPaths: true },
        test: {
          ...services,
          name: 'planted',
          sequence: { groupOrder: 5 },
          include: ['test/planted/**/*.test.ts'],
          // More of them at once leave each other too little of the machine, so that a bug does not show.
          maxWorkers: 2,
        },
      },
      {
        // `npm run test:campaigns`: volume, load and faults, in minutes.
        resolve: { tsconfigPaths: true },
        test: {
          ...services,
          name: 'campaigns',
          sequence: { groupOrder: 3 },
          include: ['test/campaigns/**/*.test.ts'],
          // Campaigns run alone: they judge how long requests wait.
          maxWorkers: 1,
        },
      },
    ],
  },
});
