import { Link } from '@tanstack/react-router';

import {
  Activity,
  Ban,
  Blocks,
  FlaskConical,
  History,
  Image,
  KeyRound,
  Package,
  Rss,
  Send,
  ShieldCheck,
  Siren,
  Warehouse,
  Webhook,
} from '../icons/index.ts';
import { isPortal } from '../api/client.ts';
import { May } from '../parts/may.tsx';

/** The pages of a store, by what a reader asks. */
const GROUPS = [
  {
    title: 'What happens',
    pages: [
      { to: '/stores/$storeId', name: 'Overview', icon: Activity },
      { to: '/stores/$storeId/incidents', name: 'Incidents', icon: Siren },
      { to: '/stores/$storeId/events', name: 'Events', icon: Rss },
      { to: '/stores/$storeId/deliveries', name: 'Deliveries', icon: Send },
      { to: '/stores/$storeId/subscriptions', name: 'Subscriptions', icon: Webhook },
      { to: '/stores/$storeId/requests', name: 'Requests', icon: Ban },
      { to: '/stores/$storeId/keys', name: 'Idempotency keys', icon: KeyRound },
    ],
  },
  {
    title: 'Data',
    pages: [
      { to: '/stores/$storeId/apps', name: 'Apps', icon: Blocks },
      { to: '/stores/$storeId/products', name: 'Catalogue', icon: Package },
      { to: '/stores/$storeId/warehouses', name: 'Warehouses', icon: Warehouse },
      { to: '/stores/$storeId/media', name: 'Media imports', icon: Image },
    ],
  },
  {
    title: 'Check',
    pages: [
      { to: '/stores/$storeId/try', name: 'Try it', icon: FlaskConical, may: { needs: 'operator' } },
      { to: '/stores/$storeId/proof', name: 'Proof', icon: ShieldCheck, may: { needs: 'viewer', everywhere: true } },
      { to: '/stores/$storeId/changes', name: 'Changes', icon: History, may: { needs: 'owner' } },
    ],
  },
] as const;

/** Pages of a store that the developer of an app sees. */
const PORTAL_GROUPS = [
  {
    title: 'What happens',
    pages: [
      { to: '/stores/$storeId', name: 'App', icon: Blocks },
      { to: '/stores/$storeId/events', name: 'Events', icon: Rss },
      { to: '/stores/$storeId/deliveries', name: 'Deliveries', icon: Send },
      { to: '/stores/$storeId/subscriptions', name: 'Subscriptions', icon: Webhook },
      { to: '/stores/$storeId/requests', name: 'Requests', icon: Ban },
      { to: '/stores/$storeId/keys', name: 'Idempotency keys', icon: KeyRound },
    ],
  },
  { title: 'Check', pages: [{ to: '/stores/$storeId/try', name: 'Try it', icon: FlaskConical }] },
] as const;

export const Side = ({ storeId }: { readonly storeId: string }) => (
  <nav aria-label="Pages of the store">
    {(isPortal ? PORTAL_GROUPS : GROUPS).map(({ title, pages }) => (
      <div key={title}>
        <h2>{title}</h2>
        <ul>
          {pages.map(({ to, name, icon: Icon, ...page }) => (
            <May key={to} {...('may' in page ? page.may : { needs: 'viewer' })}>
              <li>
                <Link to={to} params={{ storeId }} activeOptions={{ exact: to === '/stores/$storeId', includeSearch: false }}>
                  <Icon size={16} aria-hidden />
                  {name}
                </Link>
              </li>
            </May>
          ))}
        </ul>
      </div>
    ))}
  </nav>
);
