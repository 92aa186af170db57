import type { Logger } from 'pino';

import type { Application } from '../../application/index.ts';
import { demoReceiverPort, startDemoReceiver, type DemoReceiver } from './receiver.ts';
import { createDemoStore, type DemoStore } from './store.ts';
import { makeDemoTraffic } from './traffic.ts';

interface DemoOptions {
  readonly app: Application;
  readonly url: string;
  readonly log: Logger;
  readonly onProgress: (message: string) => void;
}

export interface Demo {
  readonly store: DemoStore;
  close(): Promise<void>;
}

const listen = async ({ app, log }: DemoOptions): Promise<DemoReceiver | null> => {
  const port = await demoReceiverPort(app);
  if (port === null) return null;
  try {
    return await startDemoReceiver(port);
  } catch (error) {
    log.warn({ err: error, port }, 'The port of the demo receiver is in use. Its deliveries fail until it is free.');
    return null;
  }
};

/**
 * The demo of the development profile: a store, made on a database without one, with a receiver of
 * its webhooks that listens while the server runs.
 */
export const startDemo = async (options: DemoOptions): Promise<Demo> => {
  const { app, url, log, onProgress } = options;
  const receiver = await listen(options);
  const store = await createDemoStore(app, onProgress);
  if (store.created && receiver) {
    try {
      await makeDemoTraffic(store, { app, url, receiver: receiver.url });
    } catch (error) {
      log.warn({ err: error }, 'The demo store has no traffic. All else works.');
    }
  }
  return { store, close: async () => receiver?.close() };
};
