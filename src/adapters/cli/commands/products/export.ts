import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, switchFlag } from '../../flags.ts';
import { writeStream } from '../../output/write-stream.ts';

export const exportProducts = adminCommand({
  docs: {
    brief: 'Export the products of a store',
    about:
      'Writes one product document per line (NDJSON) to standard output, oldest first. tenon products import reads this format. ' +
      'With --app, the lines are those that an app gets from GET /apps/catalog/products/export: first the cursor of the feed, then the products with all their details.',
    examples: [
      'tenon products export > products.ndjson',
      'tenon products export | jq -r .name | head',
      'tenon products export --app | head -n 1',
    ],
  },
  flags: { store: STORE_FLAG, app: switchFlag('Write the lines that an app gets') },
  run: async ({ api, context }, { store, app }) => {
    const { id } = await findStore(api, store);
    const { body } = await api.send(`/stores/${id}/products/export`, { query: { format: app ? 'app' : undefined } });
    if (body) await writeStream(body, context.process);
  },
});
