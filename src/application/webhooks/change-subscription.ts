import type { Ports } from '../../domain/ports/index.ts';
import type { WatchedSubscription } from '../../domain/ports/webhooks/subscription-repository.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import type { Cidr } from '../../domain/webhooks/address.ts';
import { parseEdit, type SubscriptionEdit, type SubscriptionKey } from '../../domain/webhooks/subscription.ts';
import { judgeTarget } from './judge-target.ts';

type ChangePorts = Pick<Ports, 'subscriptionChanges' | 'deliveryQueue'>;
type Changed = Result<WatchedSubscription, 'not_found' | 'conflict'>;

const REFUSALS = {
  of_an_app: 'The subscription of an app cannot be edited. The app creates another one and deletes this one. You can pause it.',
  deactivated: 'A deactivated subscription cannot be paused: nothing is sent to it.',
  ending: 'The deliveries from before the deactivation are still being ended. Try again in a minute.',
} as const;

const resultOf = (changed: WatchedSubscription | keyof typeof REFUSALS | null): Changed => {
  if (changed === null) return notFound('Subscription');
  return typeof changed === 'string' ? refuse('conflict', REFUSALS[changed]) : ok(changed);
};

/** Changes the URL, the types or the description of the merchant's own subscription. */
const editing =
  ({ addresses, subscriptionChanges, deliveryQueue }: ChangePorts & Pick<Ports, 'addresses'>, allowed: readonly Cidr[]) =>
  async (
    subscription: SubscriptionKey,
    input: SubscriptionEdit,
  ): Promise<Result<WatchedSubscription, 'invalid' | 'not_found' | 'conflict'>> => {
    const parsed = parseEdit(input);
    if (!parsed.ok) return parsed;
    const { target, ...changes } = parsed.value;
    const refusal = target && (await judgeTarget(addresses, target, allowed));
    if (refusal) return refusal;
    const edited = resultOf(await subscriptionChanges.edit(subscription, changes));
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

/** What the merchant changes of a subscription, by the name of each use case. */
export const subscriptionChanges = (ports: ChangePorts & Pick<Ports, 'addresses'>, allowed: readonly Cidr[]) => ({
  editSubscription: editing(ports, allowed),
  pauseSubscription: pausing(ports),
  reactivateSubscription: waking(ports, 'reactivate'),
  resumeSubscription: waking(ports, 'resume'),
});
