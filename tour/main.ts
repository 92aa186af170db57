import { readConfig } from '../src/adapters/config.ts';
import { orders, subscribe, updateInBulk } from './deliveries.ts';
import { closeShop, leave } from './farewell.ts';
import { TourFailure } from './http.ts';
import { openShop } from './opening.ts';
import { startReceiver } from './receiver.ts';
import { findServer, startServer } from './server.ts';
import type { TenonServer } from './server.ts';
import { step } from './step.ts';

/** An app's life from its client's side. */
const walk = async (tenon: TenonServer): Promise<void> => {
  const receiver = await step('receiver', startReceiver, ({ url }) => `listens on ${url}`);
  try {
    const shop = await openShop(tenon);
    await subscribe(shop, receiver);
    await updateInBulk(shop, receiver);
    await orders(shop, receiver);
    await leave(shop, receiver);
    await closeShop(shop);
  } finally {
    await receiver.close();
  }
};

/** `npm run tour`: against the server that `npm start` with the same settings has started, else against one of its own. */
const main = async (): Promise<void> => {
  const config = readConfig();
  if (!config.ok) throw new TourFailure(config.message);
  const tenon = await step(
    'server',
    async () => (await findServer(config.value)) ?? (await startServer()),
    ({ url, adminUrl, isOwn }) => `${isOwn ? 'one of its own' : 'the one that runs'}, ${url} and ${adminUrl} for the merchant`,
  );
  try {
    await walk(tenon);
  } finally {
    await tenon.stop();
  }
  process.stdout.write('All as told.\n');
};

main().catch((error: unknown) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(error instanceof TourFailure ? `✗ ${error.message}\n` : `${text}\n`);
  process.exitCode = 1;
});
