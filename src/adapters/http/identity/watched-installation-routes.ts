import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { asListPage, listOfItems } from '../kit/page.ts';
import { watchedInstallation, watchedInstallationOf, watchedInstallationQuery } from './watched-installation.ts';

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
