import { findStore } from '../../admin/find.ts';
import { subscriptionId } from '../../admin/short-id.ts';
import { subscriptionIds } from '../../completions.ts';
import { adminCommand } from '../../command.ts';
import { idArgument, STORE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';

export const deleteSubscription = adminCommand({
  docs: {
    brief: 'Delete a merchant subscription',
    about: 'Drops its queued deliveries.',
    examples: ['tenon subscriptions delete 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11 --yes'],
  },
  flags: { store: STORE_FLAG, yes: YES_FLAG },
  positional: { kind: 'tuple', parameters: [idArgument('Id of the subscription', subscriptionIds)] },
  run: async ({ api, print, context }, { store, yes }, named) => {
    const found = await findStore(api, store);
    const id = await subscriptionId(api, named, found.id);
    await confirm(context, 'This deletes the subscription and drops its queued deliveries.', yes);
    await api.delete(`/stores/${found.id}/webhooks/subscriptions/${id}`);
    print.bare({ id }, id);
  },
});
