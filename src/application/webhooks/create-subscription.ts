import type { Cause } from '../../domain/cause.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import type { Scope } from '../../domain/identity/scope.ts';
import {
  MAX_SUBSCRIPTIONS,
  parseSubscription,
  type Subscription,
  type SubscriptionContent,
  type SubscriptionInput,
} from '../../domain/webhooks/subscription.ts';
import type { ApplicationSettings } from '../settings.ts';
import { judgeTarget } from './judge-target.ts';
import { sendPing } from './ping-subscription.ts';

/** What the rules of subscriptions need of the settings. */
export type SubscriptionSettings = Pick<ApplicationSettings, 'webhookAllowedCidrs' | 'eventFields'>;

/** All rules of POST /apps/webhooks/subscriptions; what needs no look-up of names comes first. */
const judge = async (
  addresses: Ports['addresses'],
  input: SubscriptionInput,
  scopes: readonly Scope[] | null,
  { webhookAllowedCidrs, eventFields }: SubscriptionSettings,
): Promise<Result<SubscriptionContent, 'invalid'>> => {
  const parsed = parseSubscription(input, scopes, eventFields);
  if (!parsed.ok) return parsed;
  const { host, secure, ...content } = parsed.value;
  return (await judgeTarget(addresses, { url: content.url, host, secure }, webhookAllowedCidrs)) ?? ok(content);
};

type CreatePorts = Pick<Ports, 'addresses' | 'deliveryLog' | 'deliveryQueue' | 'ids' | 'subscriptions'>;

export const createSubscription =
  ({ addresses, ids, subscriptions, ...delivery }: CreatePorts, settings: SubscriptionSettings) =>
  async (
    cause: Cause,
    caller: Caller,
    input: SubscriptionInput,
  ): Promise<Result<Subscription, 'invalid' | 'unauthenticated'>> => {
    const { storeId, installationId, scopes } = caller;
    const content = await judge(addresses, input, scopes, settings);
    if (!content.ok) return content;
    const created = await subscriptions.create({
      ...content.value,
      id: ids.next(),
      storeId,
      installationId,
      signingSecret: null,
    });
    if (created === 'full') return refuse('invalid', `An installation can have at most ${MAX_SUBSCRIPTIONS} subscriptions.`);
    // Uninstalled since the token was judged.
    if (!created) return refuse('unauthenticated', 'The installation is gone.');
    await sendPing(delivery)(cause, { storeId, subscriptionId: created.id });
    return ok(created);
  };

/**
 * The merchant's own subscription, with a signing secret of its own that is shown this once and
 * kept sealed, with the subscription's id as context.
 */
export const createMerchantSubscription =
  (
    { addresses, ids, secrets, subscriptions, ...delivery }: CreatePorts & Pick<Ports, 'secrets'>,
    settings: SubscriptionSettings,
  ) =>
  async (
    cause: Cause,
    storeId: string,
    input: SubscriptionInput,
  ): Promise<Result<Subscription & { readonly signingSecret: string }, 'invalid' | 'not_found'>> => {
    const content = await judge(addresses, input, null, settings);
    if (!content.ok) return content;
    const id = ids.next();
    const signingSecret = secrets.signingSecret();
    const sealed = secrets.seal(signingSecret, id);
    const created = await subscriptions.create({ ...content.value, id, storeId, installationId: null, signingSecret: sealed });
    if (created === null || created === 'full') return notFound('Store');
    await sendPing(delivery)(cause, { storeId, subscriptionId: id });
    return ok({ ...created, signingSecret });
  };
