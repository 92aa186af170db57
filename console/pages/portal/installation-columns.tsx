import type { ReactNode } from 'react';

import { portalAt } from '../../api/client.ts';
import type { WatchedInstallation } from '../../api/types.ts';
import { AppBadge, Badge, SandboxBadge } from '../../parts/badge.tsx';
import { None, type Column } from '../../parts/table.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Ago } from '../../parts/time.tsx';

/** Where its pages are; null where they do not answer: an app that may not call the store sees nothing of it. */
export const homeOf = ({ status, storeStatus, domain }: WatchedInstallation): string | null =>
  status === 'Installed' && storeStatus === 'Active' && domain !== null ? `${portalAt(domain)}/` : null;

/** The id alone is known of a store that has uninstalled the app. */
const storeOf = ({ domain, storeId }: WatchedInstallation): string => domain ?? storeId;

interface CountProps {
  readonly of: WatchedInstallation;
  readonly count: number;
  readonly isComplete: boolean;
  /** Counted things, as a part of a sentence. */
  readonly what: string;
  readonly page: string;
}

/** How many of the last day, with the way to them. */
const Count = ({ of, count, isComplete, what, page }: CountProps): ReactNode => {
  if (count === 0) return <None />;
  const shown = `${count.toLocaleString()}${isComplete ? '' : '+'}`;
  const home = homeOf(of);
  if (home === null) return shown;
  return (
    <a href={`${home}stores/${of.storeId}/${page}`} aria-label={`${shown} ${what} on ${storeOf(of)}`}>
      {shown}
    </a>
  );
};

/** The deliveries of a state, by the name that the page of deliveries has for it. */
const deliveries = (
  name: 'Delivered' | 'Failing' | 'Waiting',
  which: 'delivered' | 'failing' | 'waiting',
): Column<WatchedInstallation> => ({
  name,
  kind: 'num',
  cell: (of) => {
    const { [which]: count, isComplete } = of.deliveries;
    return <Count {...{ of, count, isComplete }} what={`deliveries ${which}`} page={`deliveries?status=${name}`} />;
  },
});

/** Shows the most important fact about the installation. */
const State = ({ status, storeStatus, pendingScopes }: WatchedInstallation): ReactNode => {
  if (status !== 'Installed') return <AppBadge status={status} />;
  if (storeStatus === 'Inactive') return <Badge tone="warn">Store inactive</Badge>;
  return pendingScopes.length > 0 ? <Badge tone="warn">Consent pending</Badge> : <AppBadge status={status} />;
};

const Store = (of: WatchedInstallation): ReactNode => {
  const [home, store] = [homeOf(of), storeOf(of)];
  return (
    <>
      {home === null ? (
        <span className="clip" title={store}>
          {store}
        </span>
      ) : (
        <a href={home} className="clip" title={store}>
          {store}
        </a>
      )}
      {of.storeName !== null && of.storeName !== store && (
        <span className="clip mute" title={of.storeName}>
          {of.storeName}
        </span>
      )}
    </>
  );
};

export const INSTALLATION_COLUMNS: readonly Column<WatchedInstallation>[] = [
  { name: 'Store', cell: (of) => <Store {...of} /> },
  {
    name: 'State',
    kind: 'tight',
    cell: (of) => (
      <span className="row">
        <State {...of} />
        {of.isSandbox === true && <SandboxBadge />}
      </span>
    ),
  },
  {
    name: 'Scopes',
    cell: ({ scopes, pendingScopes }) => (
      <>
        <Tags tags={scopes} none="no scopes" most={2} />
        {pendingScopes.length > 0 && (
          <span className="clip mute" title={pendingScopes.join(', ')}>
            Pending: {pendingScopes.join(', ')}
          </span>
        )}
      </>
    ),
  },
  deliveries('Delivered', 'delivered'),
  deliveries('Failing', 'failing'),
  deliveries('Waiting', 'waiting'),
  {
    name: 'Refused',
    kind: 'num',
    cell: (of) => <Count of={of} {...of.refusals} what="refused requests" page="requests" />,
  },
  { name: 'Installed', kind: 'time', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];
