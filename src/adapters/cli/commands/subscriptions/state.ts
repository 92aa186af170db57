import type { WatchedSubscription } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { subscriptionId } from '../../admin/short-id.ts';
import { adminCommand, type Docs } from '../../command.ts';
import { subscriptionIds } from '../../completions.ts';
import { idArgument, STORE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { shownSubscription } from './list.ts';

const SUBSCRIPTION = { kind: 'tuple', parameters: [idArgument('Id of the subscription', subscriptionIds)] } as const;

const changingState = (change: 'resume' | 'reactivate', docs: Docs) =>
  adminCommand({
    docs,
    flags: { store: STORE_FLAG },
    positional: SUBSCRIPTION,
    run: async ({ api, print }, { store }, named) => {
      const found = await findStore(api, store);
      const id = await subscriptionId(api, named, found.id);
      const changed = await api.post<WatchedSubscription>(`/stores/${found.id}/webhooks/subscriptions/${id}/${change}`);
      print.one(changed, shownSubscription(changed));
    },
  });

export const pauseSubscription = adminCommand({
  docs: {
    brief: 'Pause a subscription of the merchant or of an app',
    about: 'Nothing is sent to it until you resume it. Its deliveries wait, and nothing is lost.',
    examples: ['tenon subscriptions pause 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11 --yes'],
  },
  flags: { store: STORE_FLAG, yes: YES_FLAG },
  positional: SUBSCRIPTION,
  run: async ({ api, print, context }, { store, yes }, named) => {
    const found = await findStore(api, store);
    const id = await subscriptionId(api, named, found.id);
    await confirm(context, 'This stops the deliveries of the subscription until you resume it.', yes);
    const paused = await api.post<WatchedSubscription>(`/stores/${found.id}/webhooks/subscriptions/${id}/pause`);
    print.one(paused, shownSubscription(paused));
  },
});

export const resumeSubscription = changingState('resume', {
  brief: 'Resume a paused subscription',
  about: 'What waited is sent.',
  examples: ['tenon subscriptions resume 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
});

export const reactivateSubscription = changingState('reactivate', {
  brief: 'Reactivate a deactivated subscription',
  about:
    'Keeps its id, its signing secret and its history. Send the deliveries that failed again with tenon deliveries redeliver.',
  examples: ['tenon subscriptions reactivate 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
});

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
