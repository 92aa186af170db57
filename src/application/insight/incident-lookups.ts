import type { ShownIncident } from '../../domain/insight/shown-incident.ts';
import { INCIDENT_RULES } from '../../domain/insight/incident-rules.ts';
import { aboutIncident } from '../../domain/insight/incident-subject.ts';
import { pageByPlace, type PlacedPageQuery } from '../../domain/place.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { Incident, IncidentFilter } from '../../domain/ports/insight/incidents.ts';
import { orNotFound } from '../../domain/result.ts';

const shownIncident = ({ subject, impact, ...incident }: Incident): ShownIncident => {
  const { name: title, counts } = INCIDENT_RULES[incident.kind];
  return { ...incident, title, ...aboutIncident({ kind: incident.kind, subject }), impact: { count: impact, of: counts } };
};

const shownPage =
  ({ incidents }: Pick<Ports, 'incidents'>) =>
  async (storeId: string | null, filter: IncidentFilter, query: PlacedPageQuery) => {
    const page = await pageByPlace(query, (from) => incidents.list(storeId, filter, from), 'beganAt');
    return page && { items: page.items.map(shownIncident), next: page.next };
  };

/** The newest incidents come first. */
export const incidentLookups = (ports: Pick<Ports, 'incidents'>) => ({
  /** Includes the incidents of the whole server. */
  listAllIncidents: async (filter: IncidentFilter, query: PlacedPageQuery) =>
    (await shownPage(ports)(null, filter, query)) ?? { items: [], next: null },
  listIncidents: orNotFound('Store', shownPage(ports)),
});
