import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { present } from '../../api/search.ts';
import type { Incident } from '../../api/types.ts';

interface PlaceProps {
  readonly storeId: string;
  readonly incident: Incident;
  readonly children: ReactNode;
}

/** Leads to what the incident is about, where the console has a page of it. */
export const IncidentPlace = ({ storeId, incident, children }: PlaceProps) => {
  const { kind, subscriptionId, installationId, check, reason } = incident;
  const params = { storeId };
  if (subscriptionId !== null) {
    return (
      <Link to="/stores/$storeId/subscriptions/$subscriptionId" params={{ storeId, subscriptionId }}>
        {children}
      </Link>
    );
  }
  if (kind === 'refusals') {
    const search = present({ check: check ?? undefined, reason: reason ?? undefined, app: installationId ?? undefined });
    return (
      <Link to="/stores/$storeId/requests" params={params} search={search}>
        {children}
      </Link>
    );
  }
  if (kind === 'media_imports_failed') {
    return (
      <Link
        to="/stores/$storeId/media"
        params={params}
        search={present({ app: installationId ?? undefined, status: ['Failed', 'CompletedWithErrors'] as const })}
      >
        {children}
      </Link>
    );
  }
  if (kind === 'product_import_failed') {
    return (
      <Link to="/stores/$storeId/import" params={params}>
        {children}
      </Link>
    );
  }
  if (kind === 'deliveries_late') {
    return (
      <Link to="/stores/$storeId/deliveries" params={params} search={{ status: ['Waiting', 'Retrying'] }}>
        {children}
      </Link>
    );
  }
  return <>{children}</>;
};
