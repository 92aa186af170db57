import { subscriptionId } from '../../admin/short-id.ts';
import { subscriptionIds } from '../../completions.ts';
import { adminCommand } from '../../command.ts';
import { idArgument, STORE_FLAG } from '../../flags.ts';

export const pingSubscription = adminCommand({
  docs: {
    brief: 'Send a ping to a subscription',
    about: 'See the result with tenon deliveries list --subscription ID.',
    examples: ['tenon subscriptions ping 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  flags: { store: STORE_FLAG },
  positional: { kind: 'tuple', parameters: [idArgument('Id of the subscription', subscriptionIds)] },
  run: async ({ api, print }, { store }, named) => {
    const id = await subscriptionId(api, named, store);
    await api.post(`/subscriptions/${id}/ping`);
    print.bare({ id }, id);
  },
});
