import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { Page } from '../../parts/page.tsx';
import { Charts } from './charts.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LiveStrip } from './live-strip.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { OpenIncidents } from './open-incidents.tsx';
import { statsQuery } from './queries.ts';
import { sumsOf } from './sums.ts';
import { RangeChoice } from './range-choice.tsx';
import { DEFAULT_RANGE, RANGES } from './ranges.ts';

const route = getRouteApi('/inside/stores/$storeId/');

/** A store that sent more has taken its first steps: they are not asked for. */
const FEW_ATTEMPTS = 20;

export const OverviewPage = () => {
  const { storeId } = route.useParams();
  const { range = DEFAULT_RANGE } = route.useSearch();
  const navigate = route.useNavigate();
  const stats = useQuery(statsQuery(storeId, range));
  return (
    <Page
      title="Overview"
      intro="Are deliveries going out, and what needs your attention?"
      actions={
        <RangeChoice chosen={range} onChange={(chosen) => void navigate({ search: { range: chosen }, resetScroll: false })} />
      }
    >
      {stats.data && sumsOf(stats.data).attempts < FEW_ATTEMPTS && (
        <May>
          <FirstSteps storeId={storeId} />
        </May>
      )}
      <OpenIncidents storeId={storeId} />
      <Found query={stats} lines={8}>
        {(data) => (
          <>
            <Figures storeId={storeId} stats={data} />
            <Charts storeId={storeId} stats={data} rangeName={RANGES[range].name} />
          </>
        )}
      </Found>
      <div className="columns top">
        <NeedsAttention storeId={storeId} />
        <LiveStrip storeId={storeId} />
      </div>
    </Page>
  );
};
