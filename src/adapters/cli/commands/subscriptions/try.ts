import type { AttemptNow } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { subscriptionId } from '../../admin/short-id.ts';
import { adminCommand } from '../../command.ts';
import { subscriptionIds } from '../../completions.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { idArgument, STORE_FLAG } from '../../flags.ts';

export const trySubscription = adminCommand({
  docs: {
    brief: 'Make one attempt at a receiver now',
    about:
      'Sends the delivery that is due first, or a ping when none waits, also while the receiver is paused after failures. A success ends the pause and releases the others.',
    examples: ['tenon subscriptions try 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  flags: { store: STORE_FLAG },
  positional: { kind: 'tuple', parameters: [idArgument('Id of the subscription', subscriptionIds)] },
  run: async ({ api, print }, { store }, named) => {
    const found = await findStore(api, store);
    const id = await subscriptionId(api, named, found.id);
    const made = await api.post<AttemptNow>(`/stores/${found.id}/webhooks/subscriptions/${id}/try`);
    const { deliveryId, number, outcome, status, error, durationMs } = made;
    const answer = status === null ? (error ?? '') : String(status);
    print.one(made, { delivery: deliveryId, attempt: number, outcome, answer, milliseconds: durationMs });
    if (outcome !== 'delivered') throw new CommandFailure('The receiver did not accept the delivery.', EXIT.refused);
  },
});

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
