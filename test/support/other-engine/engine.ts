import type { StorageEngine } from '../../../src/adapters/storage/storage-engine.ts';

/** An engine that keeps its rows in its process. `other-engine.test.ts` adds it to a copy of the source by one line. */
export const other: StorageEngine = {
  name: 'Other',
  system: 'other_sql',
  schemes: ['other:'],
  promises: new Set([]),
  about: 'Rows in this process.',
  beginning: 'other:/ and the path of a file',
  faultOf: (url) => (url.startsWith('other:/') ? null : 'must be a URL that begins with other:/'),
  heldBy: (url) => `${new URL(url).pathname}.held`,
  load: async () => (await import('./index.ts')).otherAdapter,
};
