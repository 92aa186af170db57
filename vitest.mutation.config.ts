import { defineConfig } from 'vitest/config';

import { unit } from './vitest.config.ts';

/** Stryker cannot choose a project. It gets the unit tests of the layers that it mutates. */
export default defineConfig({ test: { ...unit, include: ['test/{domain,application}/**/*.test.ts'] } });
