import type { Ports, TransactionPorts } from '../../src/domain/ports/index.ts';

type Work = (ports: TransactionPorts) => Promise<unknown>;

/** More round trips than the second transaction needs when nothing makes it wait. */
const ROUND_TRIPS = 20;
const NOWHERE = '00000000-0000-7000-8000-0000000000ff';

/**
 * Does `first` in one transaction and then, before that one ends, `second` in another. Returns the
 * order in which they ended: `['first', 'second']` means that the second waited for the first.
 */
export const lockOrder = async ({ run }: Ports['transaction'], first: Work, second: Work): Promise<string[]> => {
  const order: string[] = [];
  let other: Promise<unknown> = Promise.resolve();
  await run(null, async (ports) => {
    await first(ports);
    other = run(null, async (others) => {
      await second(others);
      order.push('second');
    });
    for (let trip = 0; trip < ROUND_TRIPS; trip += 1)
      await run(null, (tx) => tx.metaobjects.entriesAfter(NOWHERE, 'none', null, 1));
    order.push('first');
  });
  await other;
  return order;
};

export const WAITS = ['first', 'second'];
