import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Incident } from '../../api/types.ts';
import { placeOfIncident } from './place-of-incident.ts';

interface PlaceProps {
  readonly storeId: string;
  readonly incident: Incident;
  readonly children: ReactNode;
}

/** Leads to what the incident is about, where the console has a page of it. */
export const IncidentPlace = ({ storeId, incident, children }: PlaceProps) => {
  const place = placeOfIncident(storeId, incident);
  return place === null ? <>{children}</> : <Link {...place}>{children}</Link>;
};
