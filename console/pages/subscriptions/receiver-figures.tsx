import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';

import { Found } from '../../parts/found.tsx';
import { RangeChoice } from '../overview/range-choice.tsx';
import { DEFAULT_RANGE } from '../overview/ranges.ts';
import { LastFailure } from './last-failure.tsx';
import { receiverFiguresQuery } from './queries.ts';
import { ReceiverAnswers } from './receiver-answers.tsx';
import { ReceiverCharts } from './receiver-charts.tsx';
import { ReceiverNumbers } from './receiver-numbers.tsx';

const route = getRouteApi('/inside/stores/$storeId/subscriptions/$subscriptionId');

interface FiguresProps {
  readonly storeId: string;
  readonly subscriptionId: string;
}

/** How the receiver did in the range that is chosen, and what waits for it now. */
export const ReceiverFigures = ({ storeId, subscriptionId }: FiguresProps) => {
  const { range = DEFAULT_RANGE } = route.useSearch();
  const navigate = route.useNavigate();
  const figures = useQuery(receiverFiguresQuery(storeId, subscriptionId, range));
  return (
    <>
      <div className="row">
        <RangeChoice chosen={range} onChange={(chosen) => void navigate({ search: { range: chosen }, resetScroll: false })} />
        <span className="grow" />
        <Link to="/stores/$storeId/subscriptions" params={{ storeId }} className="button small">
          All subscriptions
        </Link>
      </div>
      <Found query={figures} lines={8}>
        {(data) => (
          <>
            <ReceiverNumbers storeId={storeId} subscriptionId={subscriptionId} figures={data} />
            <ReceiverCharts storeId={storeId} subscriptionId={subscriptionId} figures={data} range={range} />
            <div className="columns top">
              <ReceiverAnswers storeId={storeId} subscriptionId={subscriptionId} figures={data} />
              <LastFailure storeId={storeId} failure={data.answers.lastFailure} />
            </div>
          </>
        )}
      </Found>
    </>
  );
};
