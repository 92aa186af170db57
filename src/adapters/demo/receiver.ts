import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Application } from '../../application/index.ts';

/** Answers as its path says: the search index works, the warehouse does not. */
const ANSWERS: Readonly<Record<string, readonly [status: number, body: string]>> = {
  '/demo/search-index': [200, '{"indexed":true}'],
  '/demo/warehouse': [503, '{"error":"The warehouse is closed for stocktaking."}'],
};

export interface DemoReceiver {
  /** http://127.0.0.1:port */
  readonly url: string;
  close(): Promise<void>;
}

const OWN_URL = /^http:\/\/127\.0\.0\.1:(\d+)\/demo\//;

/**
 * The port of the receiver that an earlier start subscribed, so that its subscriptions work again. 0
 * is any free port; null where there are stores, but no subscription of the demo.
 */
export const demoReceiverPort = async (app: Application): Promise<number | null> => {
  const { value: stores } = await app.listStores({ skip: 0, take: 1 });
  const [store] = stores.items;
  if (!store) return 0;
  const listed = await app.listSubscriptions({ storeId: store.id, installationId: null });
  const ports = listed.ok ? listed.value.map(({ url }) => OWN_URL.exec(url)?.[1]) : [];
  const port = ports.find((text) => text !== undefined);
  return port === undefined ? null : Number(port);
};

/**
 * The receiver of the demo's webhooks, on loopback. Rejects when the port is in use.
 */
export const startDemoReceiver = async (port: number): Promise<DemoReceiver> => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const [status, body] = ANSWERS[request.url ?? ''] ?? [404, '{"error":"Not found"}'];
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  // The receiver does not keep the process alive.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
