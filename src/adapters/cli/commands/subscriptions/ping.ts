import { adminCommand } from '../../command.ts';

export const pingSubscription = adminCommand({
  docs: {
    brief: 'Send a ping to a subscription',
    about: 'See the result with tenon deliveries list --subscription ID.',
    examples: ['tenon subscriptions ping 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'id', brief: 'Id of the subscription' }] },
  run: async ({ api, print }, _flags: object, id) => {
    await api.post(`/subscriptions/${encodeURIComponent(id)}/ping`);
    print.bare({ id }, id);
  },
});
