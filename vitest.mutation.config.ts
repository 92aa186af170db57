import { defineConfig } from 'vitest/config';

import { unit } from './vitest.config.ts';

/** Stryker cannot choose a project. It gets the unit tests of the layers that it mutates, and runs several of these itself. */
export default defineConfig({ test: { ...unit, maxWorkers: 1, include: ['test/{domain,application}/**/*.test.ts'] } });
