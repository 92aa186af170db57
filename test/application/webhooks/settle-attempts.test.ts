import { beforeEach, describe, expect, it } from 'vitest';

import { settleAttempts, type SettledAttempt } from '../../../src/application/webhooks/delivery/settle-attempts.ts';

interface Written {
  readonly attempts: readonly string[];
  readonly health: readonly (readonly [string, number])[];
  readonly deactivated: readonly string[];
  readonly end: (error?: Error) => void;
}

/** Once all that waits for nothing but its turn has gone on. */
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('attempts are recorded together', () => {
  let written: Written[];
  /** The stores with events, as the next settlement reports them, and those whose fan-out is requested. */
  let stores: readonly string[];
  let requested: string[];
  let settle: ReturnType<typeof settleAttempts>;
  beforeEach(() => {
    written = [];
    stores = [];
    requested = [];
    const deliveries: Parameters<typeof settleAttempts>[0] = {
      settle: (attempts, health) =>
        new Promise((resolve, reject) => {
          written.push({
            attempts: attempts.map(({ deliveryId }) => deliveryId),
            health: health.map(({ subscriptionId, failures }) => [subscriptionId, failures]),
            deactivated: health.flatMap(({ subscriptionId, deactivates }) => (deactivates ? [subscriptionId] : [])),
            end: (error) => (error ? reject(error) : resolve(stores)),
          });
        }),
    };
    settle = settleAttempts(deliveries, { fanOut: async (storeId) => void requested.push(storeId) });
  });
  const ended = (deliveryId: string, failures: number | null = null): SettledAttempt =>
    ({
      attempt: { deliveryId },
      health: failures === null ? null : { subscriptionId: deliveryId.charAt(0), failures },
    }) as unknown as SettledAttempt;

  it('the fan-out of the events that they cause is requested', async () => {
    stores = ['store'];
    const first = settle(ended('a1'));
    expect(requested).toEqual([]);
    written[0]?.end();
    await first;
    expect(requested).toEqual(['store']);
  });

  it('the first at once; what ends meanwhile gathers for the next statement, one at a time', async () => {
    const first = settle(ended('a1'));
    const later = [settle(ended('a2')), settle(ended('b1'))];
    expect(written.map(({ attempts }) => attempts)).toEqual([['a1']]);
    written[0]?.end();
    await first;
    await soon();
    expect(written.map(({ attempts }) => attempts)).toEqual([['a1'], ['a2', 'b1']]);
    written[1]?.end();
    await Promise.all(later);
    await soon();
    void settle(ended('a3'));
    expect(written.at(-1)?.attempts).toEqual(['a3']);
  });
  it('500 in a statement, and the rest in the next', async () => {
    const first = settle(ended('a'));
    const rest = Array.from({ length: 501 }, (_, n) => settle(ended(`a${String(n)}`)));
    written[0]?.end();
    await first;
    await soon();
    expect(written[1]?.attempts).toHaveLength(500);
    written[1]?.end();
    await rest[499];
    await soon();
    expect(written[2]?.attempts).toEqual(['a500']);
    written[2]?.end();
    await Promise.all(rest);
  });
  it('the last word on each subscription counts', async () => {
    const first = settle(ended('x'));
    const rest = [ended('a1', 1), ended('b1', 7), ended('a2', 2), ended('b2')].map(settle);
    written[0]?.end();
    await first;
    await soon();
    expect(written[1]?.health).toEqual([
      ['a', 2],
      ['b', 7],
    ]);
    written[1]?.end();
    await Promise.all(rest);
  });
  it('a 410 deactivates the subscription, also where another attempt of the statement ended after it', async () => {
    const first = settle(ended('x'));
    const gone = ended('a1', 1);
    const rest = [{ ...gone, health: gone.health && { ...gone.health, deactivates: true } }, ended('a2', 0), ended('b1', 1)].map(
      settle,
    );
    written[0]?.end();
    await first;
    await soon();
    expect(written[1]?.deactivated).toEqual(['a']);
    written[1]?.end();
    await Promise.all(rest);
  });
  it('a statement that fails is reported to all attempts in it, and to no others', async () => {
    const failure = new Error('gone');
    const first = settle(ended('a1'));
    const next = settle(ended('a2'));
    written[0]?.end(failure);
    await expect(first).rejects.toBe(failure);
    await soon();
    written[1]?.end();
    await expect(next).resolves.toBeUndefined();
  });
});
