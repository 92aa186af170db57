import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { impactText } from '../../../src/adapters/http/console/shared.ts';
import { Badge } from '../../parts/badge.tsx';
import { Panel } from '../../parts/page.tsx';
import { Ago } from '../../parts/time.tsx';
import { IncidentPlace } from '../incidents/incident-place.tsx';
import { incidentsQuery } from '../incidents/queries.ts';

const SHOWN = 5;

/** Lists the open incidents. Hidden without any, and while they are unknown: the panels below say so. */
export const OpenIncidents = ({ storeId }: { readonly storeId: string }) => {
  const found = useQuery(incidentsQuery(storeId, {}));
  const items = found.data?.items ?? [];
  if (items.length === 0) return null;
  const hidden = Math.max(items.length - SHOWN, 0);
  return (
    <Panel title="Open incidents" isFlush>
      <ul className="attention-items">
        {items.slice(0, SHOWN).map((incident) => (
          <li key={incident.id}>
            <Badge tone="bad">{impactText(incident.impact)}</Badge>
            <div>
              <strong>
                <IncidentPlace storeId={storeId} incident={incident}>
                  {incident.title}: <bdi>{incident.name}</bdi>
                </IncidentPlace>
              </strong>
              <p className="mute">
                Began <Ago at={incident.beganAt} />. {incident.cause}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <Link to="/stores/$storeId/incidents" params={{ storeId }} className="button quiet small more">
        {hidden > 0 ? `Show ${hidden} more` : 'All incidents'}
      </Link>
    </Panel>
  );
};
