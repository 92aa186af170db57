import type { ProductImport } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { firstItems } from '../../admin/lists.ts';
import { adminCommand } from '../../command.ts';
import { LIMIT_FLAG, STORE_FLAG, WIDE_FLAG } from '../../flags.ts';

const ENDS: Readonly<Record<NonNullable<ProductImport['ended']>, string>> = {
  complete: 'Complete',
  refused: 'Refused',
  stopped: 'Stopped',
  broken_off: 'Broken off',
};

export const listImports = adminCommand({
  docs: {
    brief: 'List the imports of products into a store',
    about:
      'Lists the imports of the last 90 days, newest first: who asked for each, what came of it, how many variants it removed, and how it ended. Dry runs are not listed. ' +
      'With --json, each has its first 20 failures.',
    examples: ['tenon products imports', "tenon products imports --limit 1 --json | jq -r '.errors[].message'"],
  },
  flags: { store: STORE_FLAG, limit: LIMIT_FLAG, ...WIDE_FLAG },
  run: async ({ api, print }, { store, limit }) => {
    const { id } = await findStore(api, store);
    print.list(await firstItems<ProductImport>(api, `/stores/${id}/product-imports`, {}, limit), [
      { name: 'started', of: ({ startedAt }) => startedAt, kind: 'time' },
      { name: 'ended', of: ({ ended }) => (ended === null ? 'Running' : ENDS[ended]), kind: 'whole' },
      { name: 'file', of: ({ fileName }) => fileName, least: 16 },
      { name: 'created', of: ({ created }) => created, align: 'right' },
      { name: 'updated', of: ({ updated }) => updated, align: 'right' },
      { name: 'unchanged', of: ({ unchanged }) => unchanged, align: 'right', drop: 2 },
      { name: 'failed', of: ({ failed }) => failed, align: 'right' },
      { name: 'removed', of: ({ variantsRemoved }) => variantsRemoved, align: 'right', drop: 4 },
      { name: 'by', of: ({ by }) => by, drop: 3 },
      { name: 'id', of: (one) => one.id, drop: 1 },
    ]);
  },
});
