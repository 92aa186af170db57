import type { Cause } from '../../domain/cause.ts';
import type { Cidr } from '../../domain/webhooks/address.ts';
import type { EventFields } from '../../domain/webhooks/event-fields.ts';
import { INSTALLATION_GONE } from '../../domain/identity/installation.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { MAX_TAKEN_OVER } from '../../domain/ports/webhooks/subscription-changes.ts';
import type { NewSubscription } from '../../domain/ports/webhooks/subscription-repository.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import type { Scope } from '../../domain/identity/scope.ts';
import {
  MAX_SUBSCRIPTIONS,
  parseSubscription,
  type Subscription,
  type SubscriptionContent,
  type SubscriptionInput,
  type SubscriptionOwner,
} from '../../domain/webhooks/subscription.ts';
import { judgeTarget } from './judge-target.ts';
import { sendPing } from './ping-subscription.ts';

/** Settings that the rules of subscriptions need. */
export interface SubscriptionSettings {
  readonly webhookAllowedCidrs: readonly Cidr[];
  readonly eventFields: EventFields;
}

/** A subscriber. The scopes are the installation's; null is the merchant, who may receive everything. */
export interface Subscriber extends SubscriptionOwner {
  readonly scopes: readonly Scope[] | null;
}

/** All rules of POST /apps/webhooks/subscriptions; what needs no look-up of names comes first. */
export const judgeSubscription = async (
  addresses: Ports['addresses'],
  input: SubscriptionInput,
  { storeId, installationId, scopes }: Subscriber,
  { webhookAllowedCidrs, eventFields }: SubscriptionSettings,
): Promise<Result<SubscriptionContent, 'invalid' | 'rate_limited'>> => {
  const parsed = parseSubscription(input, scopes, eventFields);
  if (!parsed.ok) return parsed;
  const { host, secure, ...content } = parsed.value;
  const target = { url: content.url, host, secure, askedBy: installationId ?? storeId };
  return (await judgeTarget(addresses, target, webhookAllowedCidrs)) ?? ok(content);
};

type CreatePorts = Pick<Ports, 'addresses' | 'deliveryLog' | 'deliveryQueue' | 'ids' | 'subscriptionChanges' | 'subscriptions'>;

const NOT_REPLACED = {
  deactivated: 'A deactivated subscription cannot be replaced: nothing of it waits. Create one without replaces.',
  ending: 'Deliveries of the subscription to replace are still being ended. Try again in a minute.',
  waiting: `The subscription to replace has more than ${MAX_TAKEN_OVER} waiting deliveries. Try again when fewer wait.`,
} as const;

const FULL = refuse('invalid', `An installation can have at most ${MAX_SUBSCRIPTIONS} subscriptions.`);

/** Before the name is looked up. `create` judges it again, where others may create at the same time. */
const isFull = async ({ subscriptions }: CreatePorts, owner: SubscriptionOwner): Promise<boolean> =>
  ((await subscriptions.list(owner))?.length ?? 0) >= MAX_SUBSCRIPTIONS;

/** Adds it, or puts it in the place of the one that it replaces. Has what moved over sent. */
const add = async (
  { subscriptions, subscriptionChanges, deliveryQueue }: CreatePorts,
  subscription: NewSubscription,
  replaces: string | undefined,
): Promise<Result<Subscription | 'full' | null, 'not_found' | 'conflict'>> => {
  if (replaces === undefined) return ok(await subscriptions.create(subscription));
  const replaced = await subscriptionChanges.replace(subscription, replaces);
  if (replaced === null) return notFound('Subscription');
  if (typeof replaced === 'string') return refuse('conflict', NOT_REPLACED[replaced]);
  await deliveryQueue.wake([{ storeId: subscription.storeId, subscriptionId: replaced.id }]);
  return ok(replaced);
};

export const createSubscription =
  (ports: CreatePorts, settings: SubscriptionSettings) =>
  async (
    cause: Cause,
    caller: Caller,
    { replaces, ...input }: SubscriptionInput,
  ): Promise<Result<Subscription, 'invalid' | 'unauthenticated' | 'not_found' | 'conflict' | 'rate_limited'>> => {
    const { storeId, installationId } = caller;
    if (replaces === undefined && (await isFull(ports, caller))) return FULL;
    const content = await judgeSubscription(ports.addresses, input, caller, settings);
    if (!content.ok) return content;
    const wanted = { ...content.value, id: ports.ids.next(), storeId, installationId, signingSecret: null };
    const added = await add(ports, wanted, replaces);
    if (!added.ok) return added;
    const created = added.value;
    if (created === 'full') return FULL;
    if (!created) return INSTALLATION_GONE;
    await sendPing(ports)(cause, { storeId, subscriptionId: created.id });
    return ok(created);
  };

/**
 * The merchant's own subscription, with a signing secret of its own that is shown this once and
 * kept sealed, with the subscription's id as context.
 */
export const createMerchantSubscription =
  (ports: CreatePorts & Pick<Ports, 'secrets'>, settings: SubscriptionSettings) =>
  async (
    cause: Cause,
    storeId: string,
    { replaces, ...input }: SubscriptionInput,
  ): Promise<
    Result<Subscription & { readonly signingSecret: string }, 'invalid' | 'not_found' | 'conflict' | 'rate_limited'>
  > => {
    const { addresses, ids, secrets } = ports;
    const content = await judgeSubscription(addresses, input, { storeId, installationId: null, scopes: null }, settings);
    if (!content.ok) return content;
    const id = ids.next();
    const signingSecret = secrets.signingSecret();
    const sealed = secrets.seal(signingSecret, id);
    const added = await add(ports, { ...content.value, id, storeId, installationId: null, signingSecret: sealed }, replaces);
    if (!added.ok) return added;
    const created = added.value;
    if (created === null || created === 'full') return notFound('Store');
    await sendPing(ports)(cause, { storeId, subscriptionId: id });
    return ok({ ...created, signingSecret });
  };
