import type { Ports } from '../../domain/ports/index.ts';
import type { WatchedSubscription } from '../../domain/ports/webhooks/subscription-repository.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { checkOptions } from '../../domain/webhooks/subscription-options.ts';
import {
  contentAfter,
  parseEdit,
  type SubscriptionContent,
  type SubscriptionEdit,
  type SubscriptionKey,
  type SubscriptionOwner,
} from '../../domain/webhooks/subscription.ts';
import type { SubscriptionSettings } from './create-subscription.ts';
import { judgeTarget } from './judge-target.ts';

type ChangePorts = Pick<Ports, 'subscriptionChanges' | 'deliveryQueue'>;
type Changed = Result<WatchedSubscription, 'not_found' | 'conflict'>;

const REFUSALS = {
  of_an_app: 'The subscription of an app cannot be edited. The app creates another one and deletes this one. You can pause it.',
  of_a_platform_app: 'The event address of a platform app cannot be paused: it is how the app learns that it is uninstalled.',
  deactivated: 'A deactivated subscription cannot be paused: nothing is sent to it.',
  unfit: 'The subscription was changed meanwhile, and its options do not fit its event types with both changes. Try again.',
  ending: 'The deliveries from before the deactivation are still being ended. Try again in a minute.',
} as const;

const resultOf = (changed: WatchedSubscription | keyof typeof REFUSALS | null): Changed => {
  if (changed === null) return notFound('Subscription');
  return typeof changed === 'string' ? refuse('conflict', REFUSALS[changed]) : ok(changed);
};

type EditPorts = ChangePorts & Pick<Ports, 'addresses' | 'subscriptions'>;

/** Changes what is given of the merchant's own subscription. Its options must fit the types that it has then. */
const editing =
  ({ addresses, subscriptions, subscriptionChanges, deliveryQueue }: EditPorts, settings: SubscriptionSettings) =>
  async (
    subscription: SubscriptionKey,
    input: SubscriptionEdit,
  ): Promise<Result<WatchedSubscription, 'invalid' | 'not_found' | 'conflict' | 'rate_limited'>> => {
    const parsed = parseEdit(input);
    if (!parsed.ok) return parsed;
    const { target, ...changes } = parsed.value;
    const askedBy = subscription.storeId;
    const before = await subscriptions.find(subscription.storeId, subscription.subscriptionId);
    if (!before) return notFound('Subscription');
    const check = (content: SubscriptionContent) => checkOptions(content, settings.eventFields);
    const refusal =
      check(contentAfter(before, changes)) ??
      (target && (await judgeTarget(addresses, { ...target, askedBy }, settings.webhookAllowedCidrs)));
    if (refusal) return refusal;
    // Another edit may come between.
    const edited = resultOf(await subscriptionChanges.edit(subscription, changes, (after) => check(after) === null));
    if (edited.ok) await deliveryQueue.wake([subscription]);
    return edited;
  };

/** Keeps a subscription of the merchant or of an app from being sent to. Its deliveries wait. */
const pausing =
  ({ subscriptionChanges }: Pick<Ports, 'subscriptionChanges'>) =>
  async (subscription: SubscriptionKey): Promise<Changed> =>
    resultOf(await subscriptionChanges.pause(subscription));

/** Ends a pause, or a deactivation, and has what waits sent. */
const waking =
  ({ subscriptionChanges, deliveryQueue }: ChangePorts, of: 'resume' | 'reactivate') =>
  async (subscription: SubscriptionKey): Promise<Changed> => {
    const changed = resultOf(await subscriptionChanges[of](subscription));
    if (changed.ok) await deliveryQueue.wake([subscription]);
    return changed;
  };

export const subscriptionChanges = (ports: EditPorts, settings: SubscriptionSettings) => ({
  editSubscription: editing(ports, settings),
  pauseSubscription: pausing(ports),
  reactivateSubscription: waking(ports, 'reactivate'),
  resumeSubscription: waking(ports, 'resume'),
});

/** Another owner's subscription is not found. */
export const deleteSubscription =
  ({ subscriptions }: Pick<Ports, 'subscriptions'>) =>
  async ({ storeId, installationId }: SubscriptionOwner, id: string): Promise<Result<null, 'not_found'>> =>
    (await subscriptions.delete({ storeId, installationId }, id)) ? ok(null) : notFound('Subscription');
