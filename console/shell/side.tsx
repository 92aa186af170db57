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
  Webhook,
} from 'lucide-react';

import { isPortal } from '../api/client.ts';

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
      { to: '/stores/$storeId/media', name: 'Media imports', icon: Image },
    ],
  },
  {
    title: 'Check',
    pages: [
      { to: '/stores/$storeId/try', name: 'Try it', icon: FlaskConical },
      { to: '/stores/$storeId/proof', name: 'Proof', icon: ShieldCheck },
      { to: '/stores/$storeId/changes', name: 'Changes', icon: History },
    ],
  },
] as const;

/** What the developer of an app sees of a store. */
const PORTAL_GROUPS = [
  {
    title: 'What happens',
    pages: [
      { to: '/stores/$storeId', name: 'App', icon: Blocks },
      { to: '/stores/$storeId/events', name: 'Events', icon: Rss },
      { to: '/stores/$storeId/deliveries', name: 'Deliveries', icon: Send },
      { to: '/stores/$storeId/subscriptions', name: 'Subscriptions', icon: Webhook },
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
          {pages.map(({ to, name, icon: Icon }) => (
            <li key={to}>
              <Link to={to} params={{ storeId }} activeOptions={{ exact: to === '/stores/$storeId', includeSearch: false }}>
                <Icon size={16} aria-hidden />
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
);
