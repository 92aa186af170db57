import { afterAttempt, allowedInFlight, type SubscriptionHealth } from '../../../domain/webhooks/subscription-health.ts';
import type { AttemptOutcome } from '../../../domain/webhooks/delivery.ts';
import type { SubscriptionKey } from '../../../domain/webhooks/subscription.ts';
import type { DeliveryTarget, HealthRecord } from '../../../domain/ports/webhooks/delivery-repository.ts';

export class Breaker {
  readonly #subscription: SubscriptionKey;
  #health: SubscriptionHealth;
  #isDeactivated = false;
  /** By an attempt of this turn. None begins after it, so the others were in flight. */
  #hasOpened = false;

  constructor({ storeId, subscriptionId, health }: DeliveryTarget) {
    this.#subscription = { storeId, subscriptionId };
    this.#health = health;
  }

  get health(): SubscriptionHealth {
    return this.#health;
  }

  get isDeactivated(): boolean {
    return this.#isDeactivated;
  }

  /** Attempts that may be in flight now: none while it is open, and one when its probe is due. */
  allowed(cap: number): number {
    return allowedInFlight(this.#health, cap);
  }

  /**
   * The health to write after an attempt. Null when a success finds a healthy subscription, which
   * then costs no write.
   */
  record(outcome: AttemptOutcome): HealthRecord | null {
    const next = afterAttempt(this.#health, outcome, this.#hasOpened);
    const isUnchanged = next.failures === 0 && this.#health.failures === 0;
    this.#health = next;
    this.#hasOpened = next.probeInSeconds !== null;
    this.#isDeactivated ||= next.deactivates;
    return isUnchanged ? null : { ...next, ...this.#subscription };
  }
}
