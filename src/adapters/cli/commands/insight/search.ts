import type { Found, SearchAnswer } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, WIDE_FLAG } from '../../flags.ts';

/** No command takes the beginning of these. */
const NAMED_AS_A_WHOLE: ReadonlySet<Found['kind']> = new Set(['key', 'product']);

export const searchStore = adminCommand({
  docs: {
    brief: 'Find by a name, a SKU, a URL, a slug, a key or any id',
    about:
      'Finds products by a part of their name or SKU, apps by a part of their name, and subscriptions by a part of their URL or description. ' +
      'Finds these, events, deliveries, requests, idempotency keys and media imports by their whole id, or by the exact text of an idempotency ' +
      'key, an order id, an event id that you chose, a slug or a client id.',
    examples: ['tenon search order-1001', 'tenon search 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  flags: { store: STORE_FLAG, ...WIDE_FLAG },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'text', brief: 'What to find' }] },
  run: async ({ api, print }, { store }, text) => {
    const { id } = await findStore(api, store);
    const { items } = await api.get<SearchAnswer>(`/stores/${id}/search`, { q: text });
    const isShort = items.every(({ kind }) => !NAMED_AS_A_WHOLE.has(kind));
    print.list(items, [
      { name: 'kind', of: ({ kind }) => kind },
      { name: 'id', of: (found) => found.id, kind: isShort ? 'id' : 'whole' },
      { name: 'title', of: ({ title }) => title },
      { name: 'at', of: ({ at }) => at, kind: 'time', drop: 2 },
      { name: 'app', of: ({ installationId }) => installationId, kind: 'id', drop: 1 },
    ]);
  },
});
