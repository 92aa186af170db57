import type { Tone } from '../../parts/badge.tsx';
import type { WatchedSubscription } from '../../api/types.ts';

type Obstacle = WatchedSubscription['health']['notDeliverableBecause'][number];

/** Where the remedy is. */
type Remedy = 'app' | 'stores' | null;

/** Obstacles in words, with advice. */
export const OBSTACLES: Readonly<
  Record<Obstacle, { readonly name: string; readonly help: string; readonly remedy: Remedy; readonly tone: 'bad' | 'warn' }>
> = {
  deactivated: {
    name: 'Deactivated',
    help: 'Nothing is sent anymore. Fix the receiver, then reactivate the subscription.',
    remedy: null,
    tone: 'bad',
  },
  app_suspended: {
    name: 'App suspended',
    help: 'Its deliveries wait until you resume the app.',
    remedy: 'app',
    tone: 'warn',
  },
  app_uninstalled: { name: 'App uninstalled', help: 'Nothing is sent anymore.', remedy: 'app', tone: 'bad' },
  store_inactive: {
    name: 'Store inactive',
    help: 'Its deliveries wait until you activate the store.',
    remedy: 'stores',
    tone: 'warn',
  },
  no_signing_secret: {
    name: 'No signing secret',
    help: 'A delivery cannot be signed. Rotate the signing secret of the app. If the subscription is your own, create it again.',
    remedy: 'app',
    tone: 'bad',
  },
  scope_lost: {
    name: 'Scope lost',
    help: 'The app lost a scope that one of the events requires. Grant it again, or have the app subscribe to fewer events.',
    remedy: 'app',
    tone: 'bad',
  },
  paused_by_merchant: {
    name: 'Paused',
    help: 'The merchant paused it. Its deliveries wait, and nothing is lost. They are sent when it is resumed.',
    remedy: null,
    tone: 'warn',
  },
  paused_after_failures: {
    name: 'Paused',
    help: 'The last 10 attempts failed, so deliveries are sent one at a time as probes. The first success releases the others. Fix the receiver: the attempts below show its responses.',
    remedy: null,
    tone: 'warn',
  },
};

/** Advice for an app, where the merchant's advice does not apply. */
export const HELP_FOR_APPS: Readonly<Partial<Record<Obstacle, string>>> = {
  deactivated:
    'Nothing is sent anymore. Fix the receiver. Then ask the merchant to reactivate the subscription, or delete it and create it again.',
  no_signing_secret: 'A delivery cannot be signed. Ask the merchant to rotate the signing secret of the app.',
  scope_lost:
    'The app lost a scope that one of the events requires. Ask the merchant to grant it again, or subscribe to fewer events.',
};

export const DEACTIVATED: Readonly<Record<NonNullable<WatchedSubscription['health']['deactivatedBecause']>, string>> = {
  answered_410: 'The receiver answered 410 Gone.',
  failed_for_120_hours: 'No attempt succeeded for 5 days.',
};

/** The state of a subscription in one or two words. */
export const stateOf = ({ isDeliverable, health }: WatchedSubscription): { readonly name: string; readonly tone: Tone } => {
  const [first] = health.notDeliverableBecause;
  if (first !== undefined) return OBSTACLES[first];
  if (health.failingSince !== null) return { name: 'Failing', tone: 'warn' };
  return isDeliverable ? { name: 'Deliverable', tone: 'ok' } : { name: 'Not deliverable', tone: 'bad' };
};

export const needsAttention = (subscription: WatchedSubscription): boolean => stateOf(subscription).tone !== 'ok';
