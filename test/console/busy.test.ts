import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import type { LiveItem } from '../../src/domain/ports/webhooks/live-channel.ts';
import { storeKey } from '../../src/domain/store-key.ts';
import { expectNoProblems } from '../support/browser.ts';
import { browserAvailable } from '../support/launch-browser.ts';
import { openConsoleWorld, type ConsoleWorld } from '../support/console-world.ts';

const SECONDS = 60;
const EACH_MS = 100;
const MOST_GROWTH = 50 * 2 ** 20;

describe.skipIf(!browserAvailable())('a busy store', () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await openConsoleWorld();
  });

  afterAll(() => world.close());

  it('1,000 events a second for a minute let the memory of the page grow by less than 50 MB', async () => {
    const page = await world.open('/deliveries');
    await page.getByText('Live', { exact: true }).waitFor();
    const cdp = await page.context().newCDPSession(page);
    const heap = async (): Promise<number> => {
      await cdp.send('HeapProfiler.collectGarbage');
      return (await cdp.send('Runtime.getHeapUsage')).usedSize;
    };
    let seen = 0;
    cdp.on('Network.eventSourceMessageReceived', () => (seen += 1));
    await cdp.send('Network.enable');
    const before = await heap();
    const live = world.app.container.resolve(TOKENS.live);
    const item = (n: number): LiveItem => ({
      kind: 'event',
      id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      type: 'order.paid',
      resourceId: `order-${n}`,
      requestId: null,
      at: new Date().toISOString(),
    });
    let sent = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const items = Array.from({ length: EACH_MS }, () => item((sent += 1)));
        live.publish(storeKey(world.store.id), items);
        if (sent < SECONDS * 1_000) return;
        clearInterval(timer);
        resolve();
      }, EACH_MS);
    });
    await expect.poll(() => seen).toBeGreaterThan(SECONDS * 500);
    expect((await heap()) - before).toBeLessThan(MOST_GROWTH);
    // The page still answers.
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await page.getByText('No delivery matches').waitFor();
    expectNoProblems(page);
  });
});
