import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { closeOnSignal } from '../../src/adapters/startup/stop-signals.ts';
import { json } from '../host/http.ts';
import { merchantOf, storeAddress, type Installed } from '../host/merchant.ts';
import { openServer } from '../host/server.ts';
import { startApp } from './app.ts';

const SCOPES = ['write_products', 'write_webhooks'];

/**
 * `npm run example:search-index`: runs the app on a store of its own, with the server that
 * `npm start` started or one of its own, and a PostgreSQL for the app in a temporary folder.
 */
const tenon = await openServer();
console.log(`Tenon runs at ${tenon.url}.`);
const merchant = merchantOf(tenon);
const domain = `search-${randomBytes(4).toString('hex')}.localhost`;
const { id: storeId } = json(await merchant.post(201, '/admin/stores', { domain, currency: 'EUR' })) as { id: string };
await merchant.importCsv(storeId, await readFile(new URL('../sample-catalogue.csv', import.meta.url), 'utf8'));
console.log(`The store ${domain} has the sample catalogue.`);
const app = await merchant.post(201, `/admin/stores/${storeId}/apps`, { name: 'Search index', scopes: SCOPES });

if (!tenon.isOwn) closeOnSignal(() => merchant.patch(200, `/admin/stores/${storeId}`, { status: 'Inactive' }));

const dataDir = mkdtempSync(join(tmpdir(), 'tenon-search-index-'));
closeOnSignal(() => rm(dataDir, { recursive: true, force: true }));
const postgres = await startEmbeddedPostgres({ dataDir });
console.log("The app's own database runs.");
const search = await startApp({
  ...(json(app) as Installed),
  store: storeAddress(tenon, domain),
  databaseUrl: postgres.url,
  port: 0,
});
closeOnSignal(search.stop);

const type = `-H 'Content-Type: application/json'`;
console.log(`The app is in step with the store. Press Ctrl-C to stop it. Try it:

curl '${search.url}/search?q=harbour'
curl '${search.url}/titles' ${type} -d '{"job":"autumn","q":"harbour","suffix":"Made to last"}'`);
