import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import type { ReceiverFigures } from '../../api/types.ts';
import { Claim, Found } from '../../parts/found.tsx';
import { Code } from '../../parts/json.tsx';
import { Panel } from '../../parts/page.tsx';
import { OneAttempt } from '../deliveries/attempts.tsx';
import { deliveryQuery } from '../deliveries/queries.ts';
import { EventBody } from '../events/event-body.tsx';
import { sentEventQuery } from '../events/queries.ts';

type Last = NonNullable<ReceiverFigures['answers']['lastFailure']>;

/** For an app, whose deliveries have no body: it may have lost the scope for the event. */
const SentBody = ({ storeId, eventId }: { readonly storeId: string; readonly eventId: string }) => {
  const event = useQuery(sentEventQuery(storeId, eventId));
  return (
    <Found query={event} lines={2}>
      {(sent) => <EventBody event={sent} />}
    </Found>
  );
};

interface ShownProps {
  readonly storeId: string;
  readonly last: Last;
}

const Shown = ({ storeId, last: { deliveryId, number } }: ShownProps) => {
  const found = useQuery(deliveryQuery(deliveryId));
  return (
    <Found query={found} lines={4}>
      {({ log, eventId, body }) => {
        const attempt = log.find((one) => one.number === number);
        return (
          <div className="stack">
            <ol className="timeline">{attempt && <OneAttempt attempt={attempt} hasHelp isNewest />}</ol>
            <details>
              <summary>Request body</summary>
              {isPortal ? <SentBody storeId={storeId} eventId={eventId} /> : <Code text={body} what="the request body" />}
            </details>
          </div>
        );
      }}
    </Found>
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
    {failure === null ? (
      <Claim>
        <p className="mute">No attempt failed in this time.</p>
      </Claim>
    ) : (
      <Shown storeId={storeId} last={failure} />
    )}
  </Panel>
);
