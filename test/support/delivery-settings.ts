import type { ApplicationSettings } from '../../src/application/settings.ts';

/** How an attempt that somebody asks for is made, where a test looks at none. */
export const DELIVERY: ApplicationSettings['delivery'] = { schedule: { waits: [0, 5], jitter: 0 }, onAttempt: () => undefined };
