import { createInterface } from 'node:readline';

import type { BackendAddress } from '../../src/adapters/bullmq/backend.ts';
import { createDeliveryQueue } from '../../src/adapters/bullmq/delivery-queue.ts';

// A node of the delivery queue in a process of its own, for tests that stop it. Says what it does, a line each: what it began and, where
// the queue refused something, `refused`. Its work ends once it reads a line.
const [address = ''] = process.argv.slice(2);
const ended = new Promise((resolve) => createInterface({ input: process.stdin }).once('line', resolve));
const work = async (id: string): Promise<void> => {
  console.log(id);
  await ended;
};
const queue = await createDeliveryQueue({
  backend: JSON.parse(address) as BackendAddress,
  concurrency: 5,
  storeOf: () => Promise.resolve(null),
  onError: () => {
    console.log('refused');
  },
});
queue.work({ fanOut: work, deliver: ({ subscriptionId }) => work(subscriptionId) });
