import type { InstallationStatus } from '../identity/installation.ts';
import type { Scope } from '../identity/scope.ts';
import type { StoreStatus } from '../identity/store.ts';
import { isoTime } from '../time.ts';
import { mayReceiveType } from './subscription.ts';
import type { SubscribableType } from './event.ts';
import { DEACTIVATE_AFTER_SECONDS } from './subscription-health.ts';

/**
 * State that decides whether a subscription's events are sent. The merchant's own has no
 * installation: both are null.
 */
export interface DeliveryState {
  readonly isActive: boolean;
  readonly hasSigningSecret: boolean;
  readonly eventTypes: readonly SubscribableType[];
  readonly storeStatus: StoreStatus;
  readonly installationStatus: InstallationStatus | null;
  readonly scopes: readonly Scope[] | null;
  readonly isPaused: boolean;
  readonly breakerClosed: boolean;
}

/**
 * Reasons why a subscription's events are not sent, in the order of docs/specification/webhooks.md,
 * "Deliverability".
 */
export const OBSTACLES = [
  'deactivated',
  'app_suspended',
  'app_uninstalled',
  'store_inactive',
  'no_signing_secret',
  'scope_lost',
  'paused_by_merchant',
  'paused_after_failures',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

const obstaclesOf = (state: DeliveryState): readonly Obstacle[] => {
  const { scopes, installationStatus } = state;
  const isThere: Record<Obstacle, boolean> = {
    deactivated: !state.isActive,
    app_suspended: installationStatus === 'Suspended',
    app_uninstalled: installationStatus === 'Uninstalled',
    store_inactive: state.storeStatus !== 'Active',
    no_signing_secret: !state.hasSigningSecret,
    scope_lost: scopes !== null && !state.eventTypes.every((type) => mayReceiveType(scopes, type)),
    paused_by_merchant: state.isPaused,
    paused_after_failures: !state.breakerClosed,
  };
  return OBSTACLES.filter((obstacle) => isThere[obstacle]);
};

/**
 * Active, installation live, store active, secret present, scopes still cover every event type,
 * not paused, breaker closed (docs/specification/webhooks.md, "Deliverability").
 */
export const isDeliverable = (state: DeliveryState): boolean => obstaclesOf(state).length === 0;

/** A breaker that is `probing` lets one attempt through. */
export const BREAKER_STATES = ['closed', 'open', 'probing'] as const;

export const DEACTIVATION_REASONS = ['answered_410', 'failed_for_120_hours'] as const;
export type DeactivationReason = (typeof DEACTIVATION_REASONS)[number];

/** The attempts at a subscription so far. Times are ISO 8601 in UTC with milliseconds. */
export interface AttemptsSoFar {
  readonly failingSince: string | null;
  readonly nextProbeAt: string | null;
  readonly isProbeDue: boolean;
  /** Null while the merchant does not pause it. */
  readonly pausedAt: string | null;
  /** Null while it is active. */
  readonly deactivatedAt: string | null;
}

export interface ShownHealth extends Omit<AttemptsSoFar, 'isProbeDue'> {
  readonly deactivatedBecause: DeactivationReason | null;
  readonly breaker: (typeof BREAKER_STATES)[number];
  /** When it is deactivated if no attempt succeeds before. */
  readonly deactivatesAt: string | null;
  readonly notDeliverableBecause: readonly Obstacle[];
}

const breakerOf = ({ nextProbeAt, isProbeDue }: AttemptsSoFar): ShownHealth['breaker'] => {
  if (nextProbeAt === null) return 'closed';
  return isProbeDue ? 'probing' : 'open';
};

/** Without a 410 only the time ends it (`afterAttempt`), so what ended it sooner was a 410. */
export const deactivatedBecause = ({
  failingSince,
  deactivatedAt,
}: Pick<AttemptsSoFar, 'failingSince' | 'deactivatedAt'>): DeactivationReason | null => {
  if (deactivatedAt === null) return null;
  const failedMs = Date.parse(deactivatedAt) - Date.parse(failingSince ?? deactivatedAt);
  return failedMs >= DEACTIVATE_AFTER_SECONDS * 1000 ? 'failed_for_120_hours' : 'answered_410';
};

/** A subscription's health as the merchant sees it. A deactivated subscription waits for nothing. */
export const healthOf = (state: DeliveryState, attempts: AttemptsSoFar): ShownHealth => {
  const { failingSince, nextProbeAt } = attempts;
  const waits = state.isActive && attempts.pausedAt === null && failingSince !== null;
  return {
    breaker: breakerOf(attempts),
    failingSince,
    nextProbeAt: state.isActive ? nextProbeAt : null,
    deactivatesAt: waits ? isoTime(Date.parse(failingSince) + DEACTIVATE_AFTER_SECONDS * 1000) : null,
    pausedAt: attempts.pausedAt,
    deactivatedAt: attempts.deactivatedAt,
    deactivatedBecause: deactivatedBecause(attempts),
    notDeliverableBecause: obstaclesOf(state),
  };
};
