import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import { ApiError } from '../../api/problem.ts';
import type { RefusedRequest } from '../../api/types.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { Id } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Facts } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { requestQuery } from './queries.ts';
import { missingScope, whyRefused } from '../../../src/adapters/http/console/shared.ts';
import { CheckSteps } from './check-step-list.tsx';
import { ScopeHelp } from './scope-help.tsx';
import { plural } from '../../parts/plural.ts';

/** The app that called, as a link to its page. */
const CallingApp = ({ id }: { readonly id: string | null }) => {
  const { storeId = '' } = useParams({ strict: false });
  const appName = useAppName(storeId, [id]);
  if (id === null) return <span className="mute">not known: no valid token came with it</span>;
  if (isPortal) return appName(id);
  return (
    <Link to="/stores/$storeId/apps/$appId" params={{ storeId, appId: id }}>
      {appName(id)}
    </Link>
  );
};

const Refused = ({ request }: { readonly request: RefusedRequest }) => {
  const { name, why, help } = whyRefused(request);
  const scope = missingScope(request);
  return (
    <>
      <p>
        <strong>{name}.</strong> {why}
      </p>
      <p>
        <strong>How to fix it:</strong>{' '}
        {isPortal && scope !== null
          ? 'Ask the merchant to grant the scope. It counts from the next request, without a new token.'
          : help}
      </p>
      {scope !== null && request.installationId !== null && <ScopeHelp installationId={request.installationId} missing={scope} />}
    </>
  );
};

const Detail = ({ request }: { readonly request: RefusedRequest }) => (
  <>
    {request.leftOut > 0 && (
      <Notice tone="info" title={`${plural(request.leftOut, 'similar request')} in the same second`}>
        The log keeps ten per app, reason and second, and counts the others here.
      </Notice>
    )}
    <Facts
      facts={[
        ['Answered', <StatusBadge key="s" status={request.status} />],
        [
          'Code',
          request.code === null ? <span className="mute">that of the first request</span> : <code key="c">{request.code}</code>,
        ],
        ['App', <CallingApp key="a" id={request.installationId} />],
        ...(request.host === null ? [] : [['Host', <code key="h">{request.host}</code>] as const]),
        ['Arrived', <Time key="t" at={request.at} />],
        ['Took', `${request.durationMs} ms`],
        ['Request', <Id key="i" value={request.id} />],
      ]}
    />
    <section className="stack">
      <h3>How far it got</h3>
      <CheckSteps request={request}>
        <Refused request={request} />
      </CheckSteps>
    </section>
  </>
);

const notInLog = (error: Error) =>
  error instanceof ApiError && error.status === 404 ? (
    <Empty title="Not in the log">
      The log has refused requests of the last days, and each appears about a second after its response. A request that succeeded
      is not in it.
    </Empty>
  ) : null;

interface DrawerProps {
  readonly requestId: string;
  readonly onClose: () => void;
}

/** Shows a refused request and the steps of its checks. */
export const RequestDrawer = ({ requestId, onClose }: DrawerProps) => {
  const found = useQuery(requestQuery(requestId));
  return (
    <Dialog kind="drawer" title={found.data?.route ?? 'Refused request'} onClose={onClose}>
      <Found query={found} lines={6} failed={notInLog}>
        {(request) => <Detail request={request} />}
      </Found>
    </Dialog>
  );
};
