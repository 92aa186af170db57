import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import type { ReceiverFigures } from '../../api/types.ts';
import { Skeleton } from '../../parts/empty.tsx';
import { Code } from '../../parts/json.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Panel } from '../../parts/page.tsx';
import { OneAttempt } from '../deliveries/attempts.tsx';
import { deliveryQuery } from '../deliveries/queries.ts';

type Last = NonNullable<ReceiverFigures['answers']['lastFailure']>;

const Shown = ({ last: { deliveryId, number } }: { readonly last: Last }) => {
  const found = useQuery(deliveryQuery(deliveryId));
  if (found.isPending) return <Skeleton lines={4} />;
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  const attempt = found.data.log.find((one) => one.number === number);
  return (
    <div className="stack">
      <ol className="timeline">{attempt && <OneAttempt attempt={attempt} hasHelp isNewest />}</ol>
      {'body' in found.data && (
        <details>
          <summary>Request body</summary>
          <Code text={found.data.body} what="the request body" />
        </details>
      )}
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
    {failure === null ? <p className="mute">No attempt failed in this time.</p> : <Shown last={failure} />}
  </Panel>
);
