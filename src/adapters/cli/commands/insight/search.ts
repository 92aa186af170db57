import type { SearchAnswer } from '../../../http/schemas/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, WIDE_FLAG } from '../../flags.ts';

export const searchStore = adminCommand({
  docs: {
    brief: 'Find what an id, a key, a slug or a SKU belongs to',
    about:
      'Finds events, deliveries, products, requests, idempotency keys, apps, subscriptions and media imports of the store by their whole id, ' +
      'or by the exact text of an idempotency key, an order id, an event id that you chose, a slug, a SKU or a client id.',
    examples: ['tenon search order-1001', 'tenon search 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  flags: { store: STORE_FLAG, ...WIDE_FLAG },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'text', brief: 'What to find' }] },
  run: async ({ api, print }, { store }, text) => {
    const { id } = await findStore(api, store);
    const { items } = await api.get<SearchAnswer>(`/stores/${id}/search`, { q: text });
    print.list(items, [
      { name: 'kind', of: ({ kind }) => kind },
      { name: 'id', of: (found) => found.id, ...(items.every(({ kind }) => kind !== 'key') && { kind: 'id' }) },
      { name: 'title', of: ({ title }) => title },
      { name: 'at', of: ({ at }) => at, kind: 'time', drop: 2 },
      { name: 'app', of: ({ installationId }) => installationId, kind: 'id', drop: 1 },
    ]);
  },
});
