import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import type { Incident } from '../../api/types.ts';
import { impactText } from '../../../src/adapters/http/console/shared.ts';
import { Badge } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Choice } from '../../parts/field.tsx';
import { Found } from '../../parts/found.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, Table, type Column } from '../../parts/table.tsx';
import { spanText } from '../../parts/time-words.ts';
import { Time, useSecond } from '../../parts/time.tsx';
import { IncidentPlace } from './incident-place.tsx';
import { incidentsQuery } from './queries.ts';
import type { IncidentSearch } from './search.ts';
import { onThisPage } from '../../parts/plural.ts';

const route = getRouteApi('/inside/stores/$storeId/incidents');

const SHOWN = [
  ['open', 'Open'],
  ['all', 'Last 90 days'],
] as const;

/** How long it lasted, or has lasted so far. */
const Lasted = ({ beganAt, endedAt }: Pick<Incident, 'beganAt' | 'endedAt'>) => {
  const now = useSecond();
  const end = endedAt === null ? now : Date.parse(endedAt) / 1000;
  return <span className="num">{spanText(end - Date.parse(beganAt) / 1000)}</span>;
};

const columns = (storeId: string): readonly Column<Incident>[] => [
  {
    name: 'State',
    kind: 'tight',
    cell: ({ endedAt }) => <Badge tone={endedAt === null ? 'bad' : 'mute'}>{endedAt === null ? 'Open' : 'Ended'}</Badge>,
  },
  {
    name: 'Incident',
    cell: (incident) => (
      <>
        <IncidentPlace storeId={storeId} incident={incident}>
          {incident.title}
        </IncidentPlace>
        <span className="clip mute" title={incident.name}>
          <bdi>{incident.name}</bdi>
        </span>
      </>
    ),
  },
  { name: 'Cause', cell: ({ cause }) => cause },
  { name: 'Impact', kind: 'tight', cell: ({ impact }) => impactText(impact) },
  { name: 'Began', kind: 'time', cell: ({ beganAt }) => <Time at={beganAt} /> },
  { name: 'Lasted', kind: 'num', cell: ({ beganAt, endedAt }) => <Lasted beganAt={beganAt} endedAt={endedAt} /> },
];

export const IncidentsPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(incidentsQuery(storeId, search));
  const go = (change: { readonly [K in keyof IncidentSearch]?: IncidentSearch[K] | undefined }): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as IncidentSearch, resetScroll: false });
  const { show = 'open', after } = search;
  return (
    <Page
      title="Incidents"
      intro="What is wrong, since when, and what does it affect? Those that began last come first."
      actions={
        <Choice
          label="Incidents"
          options={SHOWN}
          chosen={show}
          onChange={(chosen) => go({ show: chosen === 'all' ? 'all' : undefined, after: undefined })}
        />
      }
    >
      <Found query={list} lines={6}>
        {({ items, next }) =>
          items.length === 0 ? (
            <div className="panel">
              {show === 'open' ? (
                <Empty title="No incident is open">Choose Last 90 days to see those that have ended.</Empty>
              ) : (
                <Empty title="No incidents">
                  An incident begins when a receiver fails, deliveries are late, or refusals jump.
                </Empty>
              )}
            </div>
          ) : (
            <>
              <Table label="Incidents" columns={columns(storeId)} rows={items} keyOf={({ id }) => id} />
              <Pager
                shown={onThisPage(items, 'incident')}
                onFirst={after === undefined ? null : () => go({ after: undefined })}
                onNext={next === null ? null : () => go({ after: next })}
              />
            </>
          )
        }
      </Found>
    </Page>
  );
};
