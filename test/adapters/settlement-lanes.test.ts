import { beforeEach, describe, expect, it } from 'vitest';

import type { Settlement } from '../../src/adapters/prisma/webhooks/attempts/operational-events.ts';
import { inLanes } from '../../src/adapters/prisma/webhooks/attempts/settlement-lanes.ts';

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
  /** The stores with events, as the next settlement reports them. */
  let stores: readonly string[];
  let settle: ReturnType<typeof inLanes>;
  beforeEach(() => {
    written = [];
    stores = [];
    settle = inLanes(
      ({ attempts, health }) =>
        new Promise((resolve, reject) => {
          written.push({
            attempts: attempts.map(({ deliveryId }) => deliveryId),
            health: health.map(({ subscriptionId, failures }) => [subscriptionId, failures]),
            deactivated: health.flatMap(({ subscriptionId, deactivates }) => (deactivates ? [subscriptionId] : [])),
            end: (error) => {
              if (error) reject(error);
              else resolve(stores);
            },
          });
        }),
    );
  });
  const ended = (deliveryId: string, failures: number | null = null, deactivates = false): Settlement => ({
    storeId: null,
    attempts: [attemptOf(deliveryId)],
    health:
      failures === null
        ? []
        : [
            {
              storeId: 'store',
              subscriptionId: deliveryId.charAt(0),
              failures,
              failingForSeconds: null,
              probeInSeconds: null,
              deactivates,
            },
          ],
  });
  const attemptOf = (deliveryId: string): Settlement['attempts'][number] => ({
    storeId: 'store',
    deliveryId,
    number: 1,
    startedAt: 0,
    durationMs: 1,
    waitedMs: null,
    status: 200,
    address: null,
    error: null,
    response: null,
    signature: null,
    gap: null,
    verdict: { kind: 'delivered' },
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
  it('one of them gets the stores with events of all of them', async () => {
    const first = settle(ended('x'));
    const rest = [ended('a1'), ended('a2')].map(settle);
    written[0]?.end();
    await first;
    await soon();
    stores = ['store'];
    written[1]?.end();
    expect(await Promise.all(rest)).toEqual([['store'], []]);
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
    const rest = [ended('a1', 1, true), ended('a2', 0), ended('b1', 1)].map(settle);
    written[0]?.end();
    await first;
    await soon();
    expect(written[1]?.deactivated).toEqual(['a']);
    written[1]?.end();
    await Promise.all(rest);
  });
  it('those of one store by themselves: a store that is silent or fails keeps no other waiting', async () => {
    const of = (storeId: string, deliveryId: string): Settlement => ({ ...ended(deliveryId), storeId });
    const silent = settle(of('silent', 'a1'));
    const behind = settle(of('silent', 'a2'));
    const failing = expect(settle(of('failing', 'b1'))).rejects.toThrow('gone');
    const other = settle(of('other', 'c1'));
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
  it('a statement that fails is reported to all attempts in it, and to no others', async () => {
    const failure = new Error('gone');
    const first = settle(ended('a1'));
    const next = settle(ended('a2'));
    written[0]?.end(failure);
    await expect(first).rejects.toBe(failure);
    await soon();
    written[1]?.end();
    await expect(next).resolves.toEqual([]);
  });
});
