import { z } from 'zod';

import type { InstallationOverview } from '../../../application/identity/watch-installations.ts';
import { INSTALLATION_STATUSES } from '../../../domain/identity/installation.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { STORE_STATUSES } from '../../../domain/identity/store.ts';
import { MAX_WATCHED } from '../../../domain/ports/identity/platform-app-repository.ts';
import { ok } from '../../../domain/result.ts';
import { exampleId, EXAMPLE_TIME } from '../kit/example-record.ts';
import { searched, listPaging, asListQuery, listOfItems, asListPage } from '../kit/page.ts';
import { route } from '../route.ts';

const newest = (what: string) => `Among the newest ${MAX_WATCHED.toLocaleString('en')} ${what} of the last 24 hours.`;
const isComplete = z.boolean().meta({ description: 'Whether there were no more.' });
const ofStore = { description: 'Null once the app is uninstalled.' };

export const watchedInstallation = z
  .object({
    id: z.guid(),
    storeId: z.guid(),
    domain: z.string().nullable().meta(ofStore),
    storeName: z.string().nullable().meta(ofStore),
    storeStatus: z.enum(STORE_STATUSES).nullable().meta(ofStore),
    isSandbox: z.boolean().nullable().meta(ofStore),
    status: z.enum(INSTALLATION_STATUSES),
    scopes: z.array(z.enum(ALL_SCOPES)).readonly(),
    pendingScopes: z.array(z.enum(ALL_SCOPES)).readonly().meta({ description: 'Required, and not yet granted.' }),
    createdAt: z.iso.datetime(),
    uninstalledAt: z.iso.datetime().nullable(),
    deliveries: z
      .object({ delivered: z.int(), failing: z.int(), waiting: z.int(), isComplete })
      .meta({ description: `${newest('deliveries')} Failing: the last attempt failed. Waiting: no attempt yet.` }),
    refusals: z.object({ count: z.int(), isComplete }).meta({ description: newest('refused requests') }),
  })
  .meta({
    id: 'WatchedInstallation',
    description: 'An installation of a platform app, as its developer sees it.',
    examples: [
      {
        id: exampleId(30),
        storeId: exampleId(99),
        domain: 'sunrise.example.com',
        storeName: 'Sunrise Tools',
        storeStatus: 'Active',
        isSandbox: false,
        status: 'Installed',
        scopes: ['write_inventory'],
        pendingScopes: ['read_products'],
        createdAt: EXAMPLE_TIME,
        uninstalledAt: null,
        deliveries: { delivered: 120, failing: 1, waiting: 0, isComplete: true },
        refusals: { count: 3, isComplete: true },
      },
    ],
  });

const watchedInstallationOf = ({ store, ...installation }: InstallationOverview): z.input<typeof watchedInstallation> => ({
  ...installation,
  domain: store?.domain ?? null,
  storeName: store?.name ?? null,
  storeStatus: store?.status ?? null,
  isSandbox: store && store.sandboxAppId !== null,
});

const watchedInstallationQuery = z.object({ q: searched("the store's name or domain"), ...listPaging }).transform(asListQuery);

/** For the developer of a platform app, over all stores. */
export const watchedInstallationRoutes = [
  route
    .get('/apps/installations', 'listOwnInstallations')
    .developer()
    // A browser asks for a password where a 401 names HTTP Basic.
    .errors('plain')
    .query(watchedInstallationQuery)
    .returns(200, listOfItems(watchedInstallation, 'WatchedInstallationPage'))
    .refuses('invalid')
    .handle(async (app, { platformApp, query: { page, filter } }) => {
      const { value } = await app.watchInstallations(platformApp, page, filter.q);
      return ok(asListPage({ ...value, items: value.items.map(watchedInstallationOf) }));
    }),
];
