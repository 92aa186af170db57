import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { Tenon } from 'tenon-client';
import { toExpress } from 'tenon-client/express';

import { openIndex, type Index } from './index.ts';
import { createSync, type Sync } from './sync.ts';

/** Credentials from the merchant, and the app's own database. */
export interface Settings {
  /** The address of the store, such as `https://shop.example`. */
  readonly store: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
  /** A PostgreSQL database that the app has for itself. */
  readonly databaseUrl: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Where Tenon reaches the app; http://127.0.0.1 and its port by default. */
  readonly publicUrl?: string | undefined;
}

const routes = (tenon: Tenon, index: Index, { hooks }: Sync): Express => {
  const app = express();
  // Before express.json(): the signature is over the bytes of the body.
  app.post('/webhooks', toExpress(hooks));
  app.use(express.json());

  app.get('/search', async (request, response) => {
    const { q } = request.query;
    response.json(await index.search(typeof q === 'string' ? q : ''));
  });

  /** `{"job": "autumn", "q": "saw", "suffix": "Made to last"}` sets the meta title of what the search finds. */
  app.post('/titles', async (request, response) => {
    const { job, q, suffix } = (request.body ?? {}) as Partial<Record<'job' | 'q' | 'suffix', string>>;
    if (!job || !q || !suffix) {
      response.status(400).json({ error: 'job, q and suffix are required' });
      return;
    }
    const found = await index.search(q);
    const changes = found.map(({ id, name }) => ({ id, metaTitle: `${name} | ${suffix}` }));
    const counts = { Updated: 0, Unchanged: 0, Failed: 0, replayed: 0 };
    // After a crash, the same job again continues where it was.
    for await (const result of tenon.products.bulkUpdate(await index.job(job, changes), { key: `titles/${job}` })) {
      counts[result.status] += 1;
      if (result.replayed) counts.replayed += 1;
    }
    response.json(counts);
  });
  return app;
};

export interface SearchApp {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the app. When this resolves, its index is in step with the store. */
export const startApp = async ({ store, clientId, clientSecret, ...settings }: Settings): Promise<SearchApp> => {
  const tenon = new Tenon({ store, clientId, clientSecret });
  const index = await openIndex(settings.databaseUrl);
  const sync = createSync(tenon, index, [settings.signingSecret]);
  const server = routes(tenon, index, sync).listen(settings.port);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await sync.subscribe(`${settings.publicUrl ?? url}/webhooks`);
  await sync.catchUp();
  return {
    url,
    stop: async () => {
      // Tenon sends again what this cuts off.
      server.close();
      server.closeAllConnections();
      await index.close();
    },
  };
};
