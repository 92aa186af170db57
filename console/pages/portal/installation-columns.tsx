import type { ReactNode } from 'react';

import { portalAt } from '../../api/client.ts';
import type { WatchedInstallation } from '../../api/types.ts';
import { AppBadge, Badge, SandboxBadge } from '../../parts/badge.tsx';
import { None, type Column } from '../../parts/table.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Ago } from '../../parts/time.tsx';

/** Whether its pages answer: an app that may not call the store sees nothing of it. */
export const mayOpen = ({ status, storeStatus }: WatchedInstallation): boolean =>
  status === 'Installed' && storeStatus === 'Active';

export const homeOf = ({ domain }: WatchedInstallation): string => `${portalAt(domain)}/`;

interface CountProps {
  readonly of: WatchedInstallation;
  readonly count: number;
  readonly isComplete: boolean;
  /** What is counted, as a part of a sentence. */
  readonly what: string;
  /** The page of the store that lists them. */
  readonly page: string;
}

/** How many of the last day, with the way to them. */
const Count = ({ of, count, isComplete, what, page }: CountProps): ReactNode => {
  if (count === 0) return <None />;
  const shown = `${count.toLocaleString()}${isComplete ? '' : '+'}`;
  if (!mayOpen(of)) return shown;
  return (
    <a href={`${portalAt(of.domain)}/stores/${of.storeId}/${page}`} aria-label={`${shown} ${what} on ${of.domain}`}>
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

/** What a developer has to know first about the installation. */
const State = ({ status, storeStatus, pendingScopes }: WatchedInstallation): ReactNode => {
  if (status !== 'Installed') return <AppBadge status={status} />;
  if (storeStatus === 'Inactive') return <Badge tone="warn">Store inactive</Badge>;
  return pendingScopes.length > 0 ? <Badge tone="warn">Consent pending</Badge> : <AppBadge status={status} />;
};

export const INSTALLATION_COLUMNS: readonly Column<WatchedInstallation>[] = [
  {
    name: 'Store',
    cell: (of) => (
      <>
        {mayOpen(of) ? (
          <a href={homeOf(of)} className="clip" title={of.domain}>
            {of.domain}
          </a>
        ) : (
          <span className="clip" title={of.domain}>
            {of.domain}
          </span>
        )}
        {of.storeName !== of.domain && (
          <span className="clip mute" title={of.storeName}>
            {of.storeName}
          </span>
        )}
      </>
    ),
  },
  {
    name: 'State',
    kind: 'tight',
    cell: (of) => (
      <span className="row">
        <State {...of} />
        {of.isSandbox && <SandboxBadge />}
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
