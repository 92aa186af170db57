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
  let isOneServer: boolean | Error;
  let settle: ReturnType<typeof settleAttempts>;
  beforeEach(() => {
    isOneServer = true;
    written = [];
    stores = [];
    requested = [];
    const deliveries: Parameters<typeof settleAttempts>[0] = {
      isOneServer: () => (isOneServer instanceof Error ? Promise.reject(isOneServer) : Promise.resolve(isOneServer)),
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
    await soon();
    expect(requested).toEqual([]);
    written[0]?.end();
    await first;
    expect(requested).toEqual(['store']);
  });

  it('the first at once; what ends meanwhile gathers for the next statement, one at a time', async () => {
    const first = settle(ended('a1'));
    const later = [settle(ended('a2')), settle(ended('b1'))];
    await soon();
    expect(written.map(({ attempts }) => attempts)).toEqual([['a1']]);
    written[0]?.end();
    await first;
    await soon();
    expect(written.map(({ attempts }) => attempts)).toEqual([['a1'], ['a2', 'b1']]);
    written[1]?.end();
    await Promise.all(later);
    await soon();
    void settle(ended('a3'));
    await soon();
    expect(written.at(-1)?.attempts).toEqual(['a3']);
  });
  it('500 in a statement, and the rest in the next', async () => {
    const first = settle(ended('a'));
    const rest = Array.from({ length: 501 }, (_, n) => settle(ended(`a${String(n)}`)));
    await soon();
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
    await soon();
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
    await soon();
    written[0]?.end();
    await first;
    await soon();
    expect(written[1]?.deactivated).toEqual(['a']);
    written[1]?.end();
    await Promise.all(rest);
  });
  it('where stores may have servers of their own, each by itself: one that is silent or fails keeps no other waiting', async () => {
    isOneServer = false;
    const of = (storeId: string, deliveryId: string): SettledAttempt => {
      const { attempt } = ended(deliveryId);
      return { attempt: { ...attempt, storeId }, health: null };
    };
    const silent = settle(of('silent', 'a1'));
    const behind = settle(of('silent', 'a2'));
    const failing = expect(settle(of('failing', 'b1'))).rejects.toThrow('gone');
    const other = settle(of('other', 'c1'));
    await soon();
    expect(written.map(({ attempts }) => attempts)).toEqual([['a1'], ['b1'], ['c1']]);
    written[1]?.end(new Error('gone'));
    written[2]?.end();
    await failing;
    await other;
    written[0]?.end();
    await silent;
    await soon();
    expect(written[3]?.attempts).toEqual(['a2']);
    written[3]?.end();
    await behind;
  });
  it('where that is not known, as the database is away, those that wait for it are not recorded, and the next one asks again', async () => {
    isOneServer = new Error('away');
    const [first, second] = await Promise.allSettled([settle(ended('a1')), settle(ended('a2'))]);
    expect([first, second]).toEqual([first, first]);
    expect(first).toEqual({ status: 'rejected', reason: isOneServer });
    isOneServer = true;
    void settle(ended('a3'));
    await soon();
    expect(written.map(({ attempts }) => attempts)).toEqual([['a3']]);
  });
  it('a statement that fails is reported to all attempts in it, and to no others', async () => {
    const failure = new Error('gone');
    const first = settle(ended('a1'));
    const next = settle(ended('a2'));
    await soon();
    written[0]?.end(failure);
    await expect(first).rejects.toBe(failure);
    await soon();
    written[1]?.end();
    await expect(next).resolves.toBeUndefined();
  });
});
