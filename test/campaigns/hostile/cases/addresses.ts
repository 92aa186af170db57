import { startReceiver } from '../../../support/receiver.ts';
import { LOOPBACK, PRIVATE } from '../support/address-vectors.ts';
import type { Case } from '../support/campaign.ts';
import { operations } from '../support/operations.ts';
import { each } from '../support/attacker.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { asAdmin, asApp, type Ask, type Site } from '../support/site.ts';

const IMPORTS = '/apps/media/imports';
const REFUSED = [400];
const NAMES = [
  'localhost',
  'localhost.',
  'LOCALHOST',
  'app.localhost',
  'printer.local',
  'db.internal',
  'intranet',
  'ip6-localhost',
];
/** Parts of a URL beside its host that lead elsewhere, or nowhere. */
const ODD_URLS = [
  ...[
    '',
    ' ',
    'x',
    '/',
    '//',
    '//example.com',
    'example.com',
    'https:',
    'https://',
    'https:///x',
    'https://?',
    'https://[',
    'https://[::',
  ],
  ...[
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'ws://example.com/',
  ],
  ...['https://user@example.com/', 'https://user:secret@example.com/', 'https://@example.com/x@', 'http://example.com/'],
  ...[
    'https://example.com:0/',
    'https://example.com:65536/',
    'https://example.com:x/',
    `https://example.com/${'x'.repeat(2_048)}`,
  ],
  ...[
    'https://exa\0mple.com/',
    'https://exa mple.com/',
    `https://${'a'.repeat(300)}.com/`,
    'https://a..b/',
    'https://.com/',
    'https://%/',
  ],
  ...['https:\\\\127.0.0.1\\', 'https:/127.0.0.1/', 'https:127.0.0.1', ' https://127.0.0.1/', 'https://127.0.0.1\\@example.com/'],
  ...[
    'https://example.com@127.0.0.1/',
    'https://127.0.0.1#@example.com/',
    'https://127.0.0.1?@example.com/',
    'https://127.0.0.1:443:80/',
  ],
];
/** Tenon accepts these URLs: they are odd, but have a public name. */
const TAKEN_ODD = new Set([
  `https://${'a'.repeat(300)}.com/`,
  'https://example.com:0/',
  'https://@example.com/x@',
  'https://.com/',
  'https://a..b/',
]);

/** Every address as https and http, on the port where this machine listens. */
const urls = (port: number): string[] => [
  ...[...LOOPBACK, ...PRIVATE, ...NAMES].flatMap((host) => ['https', 'http'].map((scheme) => `${scheme}://${host}:${port}/x`)),
  ...ODD_URLS,
];

const wantedFor = (url: string): { wanted?: number[] } => (TAKEN_ODD.has(url) ? {} : { wanted: REFUSED });

/** Subscriptions of an app and of the merchant: each refused when it is made. */
const subscriptions = async (site: Site, shop: Shop, all: readonly string[]): Promise<void> => {
  const app = asApp(site, shop, shop.apps[0]!);
  const admin = asAdmin(site);
  await each(all, async (url) => {
    const body = { url, eventTypes: ['product.updated'] };
    const what = 'a subscription to an address';
    await app('POST', '/apps/webhooks/subscriptions', body, { what, ...wantedFor(url) });
    const path = `/admin/stores/${shop.id}/webhooks/subscriptions`;
    await admin('POST', path, body, { what, makesSecrets: true, ...wantedFor(url) });
  });
};

interface Import {
  readonly importId: string;
  readonly status: string;
  readonly items: readonly { readonly status: string; readonly errorCode: string | null }[];
}
const ENDED = /Completed|CompletedWithErrors|Failed/;
const PATIENCE_MS = 120_000;
const POLL_MS = 250;

const ended = async (ask: Ask, importId: string): Promise<Import> => {
  for (let left = PATIENCE_MS; ; left -= POLL_MS) {
    const found = JSON.parse((await ask('GET', `${IMPORTS}/${importId}`, undefined, { wanted: [200] })).body) as Import;
    if (ENDED.test(found.status) || left <= 0) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

/** Imports of media: refused when they are asked for, or each item failed once it is its turn. */
const imports = async (site: Site, shop: Shop, all: readonly string[]): Promise<number> => {
  const ask = asApp(site, shop, shop.apps[0]!);
  let items = 0;
  await each(
    all.filter((url) => !TAKEN_ODD.has(url)),
    async (url) => {
      const body = { items: [{ sourceUrl: url, productId: shop.products[0] }] };
      const { status, body: text } = await ask('POST', IMPORTS, body, { what: 'an import from an address', wanted: [202, 400] });
      if (status !== 202) return;
      const { importId, items: results, status: end } = await ended(ask, (JSON.parse(text) as Import).importId);
      items += results.length;
      if (end !== 'Failed') site.attacker.violate('wrong answer', `${url} was imported, or never ended: ${importId} is ${end}`);
    },
  );
  return items;
};

/**
 * Every way known to us to name this machine or what is private to its network. Nothing of it is
 * ever dialled: a listener on every address of the machine counts.
 */
export const addresses: Case = {
  about: 'Addresses of this machine and of private networks, in every spelling, as webhook URLs and image URLs.',
  run: async ({ site: openShared, attacker }) => {
    const sentinel = await startReceiver({ host: '' });
    const site = await openShared();
    const shop = await openShop(site, operations, 1);
    const all = urls(sentinel.port);
    await subscriptions(site, shop, all);
    const hasMedia = operations.some(({ path }) => path === IMPORTS);
    const items = hasMedia ? await imports(site, shop, all) : 'no such route yet';
    const reached = sentinel.connections();
    if (reached > 0) attacker.violate('wrong answer', `${reached} connections reached this machine`);
    await sentinel.close();
    return { addresses: all.length, 'connections that reached one': reached, 'import items that failed as expected': items };
  },
};
