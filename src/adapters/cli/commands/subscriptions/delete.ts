import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';

export const deleteSubscription = adminCommand({
  docs: {
    brief: 'Delete a merchant subscription',
    about: 'Drops its queued deliveries.',
    examples: ['tenon subscriptions delete 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11 --yes'],
  },
  flags: { store: STORE_FLAG, yes: YES_FLAG },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'id', brief: 'Id of the subscription' }] },
  run: async ({ api, print, context }, { store, yes }, id) => {
    const found = await findStore(api, store);
    await confirm(context, 'This deletes the subscription and drops its queued deliveries.', yes);
    await api.delete(`/stores/${found.id}/webhooks/subscriptions/${encodeURIComponent(id)}`);
    print.bare({ id }, id);
  },
});
