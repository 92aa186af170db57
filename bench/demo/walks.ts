import { parseArgs } from 'node:util';

import { openPage, signIn, type ConsolePage } from '../../test/support/browser.ts';
import { launchBrowser } from '../../test/support/launch-browser.ts';
import { aCatalogue, PORTAL_WALK, walkerOn, WALKS, type Places } from '../../test/support/walks.ts';

const ABOUT = `Walks the ten questions of the console on a running server with the store of demo:large, and says how many clicks and how long each takes.
It imports 3,000 products, installs an app and sends deliveries again.

  DATA_DIR=data/large APP_CONSOLE=on npm start
  npm run demo:walks -- --admin=http://127.0.0.1:4001 --apps=http://localhost:4000 --token=<the admin token>
`;
const CALLS = 20;
const ALSO = [
  'stats?from=DAY&step=hour',
  'stats?from=MONTH&step=day',
  'attention',
  'incidents?status=open',
  'deliveries',
  'events?order=newest',
];

const { values } = parseArgs({
  options: {
    admin: { type: 'string', default: 'http://127.0.0.1:4001' },
    apps: { type: 'string', default: 'http://localhost:4000' },
    token: { type: 'string', default: '' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(ABOUT);

const api = async <T>(path: string, method = 'GET'): Promise<T> => {
  const response = await fetch(`${values.admin}/admin${path}`, { method, headers: { authorization: `Bearer ${values.token}` } });
  if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)}`);
  return (await response.json()) as T;
};
const since = (begun: number): string => `${((performance.now() - begun) / 1_000).toFixed(2)} s`;

const [store] = (await api<{ items: { id: string; domain: string }[] }>('/stores?q=localhost')).items;
if (!store) throw new Error('This server does not have the demo store.');
const [app] = (await api<{ items: { id: string; name: string }[] }>(`/stores/${store.id}/apps?q=Demo`)).items;
if (!app) throw new Error('The demo app was uninstalled.');

say('Calls, the median and the slowest of 20:');
for (const call of ALSO) {
  const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  const times: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const begun = performance.now();
    await api(`/stores/${store.id}/${call.replace('DAY', ago(1)).replace('MONTH', ago(30))}`);
    times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  say(`  ${call}: ${(times[CALLS / 2] ?? 0).toFixed(0)} ms, ${(times.at(-1) ?? 0).toFixed(0)} ms`);
}

const places: Places = {
  catalogue: aCatalogue(3_000),
  app: app.name,
  key: 'welcome-1',
  product: 'Block plane',
  newApp: `Walked ${String(Date.now())}`,
};
const browser = await launchBrowser();
const walk = async (page: ConsolePage, question: string, steps: (typeof WALKS)[string]): Promise<void> => {
  const walker = walkerOn(page);
  const begun = performance.now();
  await steps(walker, places);
  say(`  ${question} ${String(walker.clicks)} clicks, ${since(begun)}`);
  await page.context().close();
};
try {
  say('Questions:');
  for (const [question, steps] of Object.entries(WALKS)) {
    const page = await openPage(browser, values.admin);
    await signIn(page, values.token);
    const begun = performance.now();
    await page.goto(`/console/stores/${store.id}`);
    await page.getByText('Attempts that succeeded').first().waitFor();
    say(`  (first data of the overview: ${since(begun)})`);
    await walk(page, question, steps);
  }
  const { url } = await api<{ url: string }>(`/apps/${app.id}/console-codes`, 'POST');
  const page = await openPage(browser, values.apps);
  await page.goto(`/apps/console/${new URL(url).hash}`);
  await page.getByRole('button', { name: /^Sign in as / }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await walk(page, ...PORTAL_WALK);
} finally {
  await browser.close();
}
