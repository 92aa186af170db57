import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import type { ReceiverFigures } from '../../api/types.ts';
import { Skeleton } from '../../parts/empty.tsx';
import { Code } from '../../parts/json.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Panel } from '../../parts/page.tsx';
import { OneAttempt } from '../deliveries/attempts.tsx';
import { deliveryQuery } from '../deliveries/queries.ts';
import { EventBody } from '../events/event-body.tsx';
import { sentEventQuery } from '../events/queries.ts';

type Last = NonNullable<ReceiverFigures['answers']['lastFailure']>;

/** For an app, whose deliveries have no body: it may have lost the scope for the event. */
const SentBody = ({ storeId, eventId }: { readonly storeId: string; readonly eventId: string }) => {
  const event = useQuery(sentEventQuery(storeId, eventId));
  if (event.isPending) return <Skeleton lines={2} />;
  if (event.isError) return <Failure error={event.error} retry={() => void event.refetch()} />;
  return <EventBody event={event.data} />;
};

interface ShownProps {
  readonly storeId: string;
  readonly last: Last;
}

const Shown = ({ storeId, last: { deliveryId, number } }: ShownProps) => {
  const found = useQuery(deliveryQuery(deliveryId));
  if (found.isPending) return <Skeleton lines={4} />;
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  const attempt = found.data.log.find((one) => one.number === number);
  return (
    <div className="stack">
      <ol className="timeline">{attempt && <OneAttempt attempt={attempt} hasHelp isNewest />}</ol>
      <details>
        <summary>Request body</summary>
        {isPortal ? (
          <SentBody storeId={storeId} eventId={found.data.eventId} />
        ) : (
          <Code text={found.data.body} what="the request body" />
        )}
      </details>
    </div>
  );
};

interface LastFailureProps {
  readonly storeId: string;
  readonly failure: Last | null;
}

/** The latest attempt that failed, with its request and its response. */
export const LastFailure = ({ storeId, failure }: LastFailureProps) => (
  <Panel
    title="Last failure"
    actions={
      failure && (
        <Link
          to="/stores/$storeId/deliveries"
          params={{ storeId }}
          search={{ open: failure.deliveryId }}
          className="button small"
        >
          Open the delivery
        </Link>
      )
    }
  >
    {failure === null ? <p className="mute">No attempt failed in this time.</p> : <Shown storeId={storeId} last={failure} />}
  </Panel>
);
