import { attemptDelivery, type Delivering, type DeliveryTurn } from './attempt-delivery.ts';
import type { DeliveryBatch, TakenDelivery } from './delivery-batch.ts';
import type { DeliverySettings } from './delivery-settings.ts';

/**
 * Counts the attempts in flight and lets a loop wait for one to end. Each wait is one promise: a
 * race of all attempts would allocate a promise for each of them, and that is most of what a turn
 * would allocate.
 */
class InFlightAttempts {
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  oneEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  async allEnd(): Promise<void> {
    while (this.#count > 0) await this.oneEnds();
  }
}

/** While an attempt hangs, the loop looks this often for new deliveries of the subscription. */
const LOOK_MS = 250;

/**
 * Sends the deliveries of a batch until none is due, the batch has taken its share, or the turn
 * must stop. Resolves once nothing is in flight and all attempts are recorded. Rejects with the
 * first error of an attempt or of the batch.
 */
export const runTurn = async (
  delivering: Delivering & { readonly settings: DeliverySettings },
  turn: DeliveryTurn & { readonly batch: DeliveryBatch },
): Promise<void> => {
  const { settings, ports } = delivering;
  const { batch, breaker, lease, target } = turn;
  const attempt = attemptDelivery(delivering, turn);
  const inFlight = new InFlightAttempts();
  const failures: unknown[] = [];
  let isLeaseLost = false;

  const mayContinue = (): boolean =>
    !isLeaseLost && failures.length === 0 && !breaker.isDeactivated && !lease.signal.aborted && !settings.stopping.aborted;

  /** Never rejects. */
  const begin = async (taken: TakenDelivery): Promise<void> => {
    inFlight.begin();
    try {
      const mayBegin = lease.mayBegin();
      // Not awaited where it is known: the attempt leaves before the next look-up does.
      if (mayBegin === true || (await mayBegin)) await attempt(taken);
      else isLeaseLost = true;
    } catch (error) {
      failures.push(error);
    }
    inFlight.end();
  };

  const send = async (): Promise<void> => {
    while (mayContinue()) {
      if (inFlight.count >= breaker.allowed(settings.maxInFlight)) {
        if (inFlight.count === 0) return;
        await inFlight.oneEnds();
        continue;
      }
      const next = batch.next();
      if (next) {
        void begin(next);
      } else if (!(await batch.refill())) {
        // New deliveries have a request of their own, but it waits for this turn, and an attempt may hang.
        const isIdle = inFlight.count === 0;
        // In an order, the end of an attempt may make the next one of its resource due.
        const ended = target.isOrdered && !isIdle ? inFlight.oneEnds() : inFlight.allEnd();
        await Promise.race([ended, ports.clock.pause(LOOK_MS)]);
        if (inFlight.count === 0 && (isIdle || !target.isOrdered)) return;
      }
    }
  };

  await send().catch((error: unknown) => failures.push(error));
  await Promise.all([inFlight.allEnd(), batch.close()]);
  if (failures.length > 0) throw failures[0];
};
