import { setTimeout as pause } from 'node:timers/promises';

import { createApp, nightly, type Settings } from './app.ts';
import { openStores } from './stores.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}. See examples/README.md.`);
  return value;
};

/** The site of the app, and its work each night. `tenon platform-apps add` prints the credentials. */
const { PORT = '8091', STORES_BELOW = '.localhost', STORE_PORT = '4000', EVERY_SECONDS = '86400' } = process.env;
const { PUBLIC_URL = `http://localhost:${PORT}`, STORES_FILE = 'data/many-stores.json' } = process.env;
const isLocal = STORES_BELOW === '.localhost';
const settings: Settings = {
  clientId: setting('CLIENT_ID'),
  clientSecret: setting('CLIENT_SECRET'),
  signingSecrets: [setting('SIGNING_SECRET'), process.env['PREVIOUS_SIGNING_SECRET']].flatMap((secret) => secret ?? []),
  storesBelow: STORES_BELOW,
  addressOf: (domain) => (isLocal ? `http://${domain}:${STORE_PORT}` : `https://${domain}`),
  publicUrl: PUBLIC_URL,
};
const stores = await openStores(STORES_FILE);
createApp(settings, stores).listen(Number(PORT), () => console.log(`Install at ${PUBLIC_URL}`));

for (;;) {
  const nights = await nightly(settings, stores, (domain, error) => console.error(`${domain}: ${error.message}`));
  for (const { domain, products, lacking } of nights)
    console.log(`${domain}: ${lacking} of ${products} products have no description`);
  await pause(Number(EVERY_SECONDS) * 1_000);
}
