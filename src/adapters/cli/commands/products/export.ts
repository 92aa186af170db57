import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG } from '../../flags.ts';
import { pour } from '../../output/pour.ts';

export const exportProducts = adminCommand({
  docs: {
    brief: 'Export the products of a store',
    about:
      'Writes one product document per line (NDJSON) to standard output, oldest first. tenon products import reads this format.',
    examples: ['tenon products export > products.ndjson', 'tenon products export | jq -r .name | head'],
  },
  flags: { store: STORE_FLAG },
  run: async ({ api, context }, { store }) => {
    const { id } = await findStore(api, store);
    const { body } = await api.send(`/stores/${id}/products/export`);
    if (body) await pour(body, context.process);
  },
});
