import { ExampleFailure } from '../host/http.ts';
import { openServer, type TenonServer } from '../host/server.ts';
import { orders, subscribe, updateInBulk } from './deliveries.ts';
import { closeShop, leave } from './farewell.ts';
import { openShop } from './opening.ts';
import { startReceiver } from './receiver.ts';
import { step } from './step.ts';

/** An app's life, seen from its client. */
const walk = async (tenon: TenonServer): Promise<void> => {
  const receiver = await step('receiver', startReceiver, ({ url }) => `listening on ${url}`);
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

/**
 * `npm run tour`: uses the server that `npm start` started with the same settings. If none answers,
 * starts one for the tour.
 */
const main = async (): Promise<void> => {
  const tenon = await step(
    'server',
    openServer,
    ({ url, adminUrl, isOwn }) =>
      `${isOwn ? 'started for this tour' : 'already running'}, app API at ${url}, admin API at ${adminUrl}`,
  );
  try {
    await walk(tenon);
  } finally {
    await tenon.stop();
  }
  process.stdout.write('All steps passed.\n');
};

main().catch((error: unknown) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(error instanceof ExampleFailure ? `✗ ${error.message}\n` : `${text}\n`);
  process.exitCode = 1;
});
