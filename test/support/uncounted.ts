import type { CountHolder } from '../../src/application/identity/check-client.ts';

/** For tests of what a holder gets that are not about how often. */
export const uncounted: CountHolder = () => Promise.resolve(null);
