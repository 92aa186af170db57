import type { DueDelivery } from '../../../domain/ports/webhooks/delivery-repository.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { SubscriptionKey } from '../../../domain/webhooks/subscription.ts';

const BATCH = 50;
/** When only this many are left, the next look-up begins, so that no attempt waits for it. */
const LOOK_AHEAD_AT = 20;
/**
 * After this many deliveries or milliseconds no look-up begins, so that every subscription gets a
 * turn.
 */
const MAX_DELIVERIES = 1_000;
const MAX_MS = 5_000;

/** `takenAt` is in milliseconds, by the clock of this process. */
export interface TakenDelivery {
  readonly delivery: DueDelivery;
  readonly takenAt: number;
}

/**
 * The deliveries of one subscription in one turn: those that are due, taken from the rows, and not
 * settled yet.
 */
export class DeliveryBatch {
  readonly #ports: Pick<Ports, 'clock' | 'deliveries'>;
  readonly #subscription: SubscriptionKey;
  readonly #startedAt: number;
  /** Taken and not settled, the due ones among them. */
  readonly #unsettled = new Set<string>();
  /** The next one is the last. */
  #due: TakenDelivery[] = [];
  #lookingUp: Promise<TakenDelivery[]> | null = null;
  #taken = 0;

  constructor(ports: Pick<Ports, 'clock' | 'deliveries'>, subscription: SubscriptionKey) {
    this.#ports = ports;
    this.#subscription = subscription;
    this.#startedAt = ports.clock.now();
  }

  /** The next one to send, the longest due first. Undefined when none is left: then `refill`. */
  next(): TakenDelivery | undefined {
    const next = this.#due.pop();
    if (this.#due.length === LOOK_AHEAD_AT) this.#lookAhead();
    return next;
  }

  async refill(): Promise<boolean> {
    this.#due = await (this.#lookingUp ??= this.#lookUp());
    this.#lookingUp = null;
    return this.#due.length > 0;
  }

  /** From now on a look-up may find the delivery again: its row says when it is due. */
  settled(deliveryId: string): void {
    this.#unsettled.delete(deliveryId);
  }

  /** Waits for a look-up that runs. Its deliveries stay in their rows. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#lookingUp]);
  }

  #lookAhead(): void {
    this.#lookingUp ??= this.#lookUp();
    // `refill` reports the error.
    this.#lookingUp.catch(() => undefined);
  }

  async #lookUp(): Promise<TakenDelivery[]> {
    const { clock, deliveries } = this.#ports;
    if (this.#taken >= MAX_DELIVERIES || clock.now() - this.#startedAt >= MAX_MS) return [];
    const found = await deliveries.due(this.#subscription, BATCH, [...this.#unsettled]);
    for (const { id } of found) this.#unsettled.add(id);
    this.#taken += found.length;
    const takenAt = clock.now();
    return found.map((delivery) => ({ delivery, takenAt })).reverse();
  }
}
