import { Link } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import { Id } from '../../parts/copy.tsx';
import { useAppName } from '../apps/use-app-name.ts';

interface CauseProps {
  readonly storeId: string;
  /** The app that sent the request. Null is the merchant. */
  readonly installationId: string | null;
}

/** Who caused an event: an app, which the name leads to, or the merchant. */
export const Cause = ({ storeId, installationId }: CauseProps) => {
  const appName = useAppName(storeId, [installationId]);
  if (installationId === null || isPortal) return appName(installationId);
  return (
    <Link to="/stores/$storeId/apps/$appId" params={{ storeId, appId: installationId }}>
      {appName(installationId)}
    </Link>
  );
};

/** The request that caused an event: all that is known by its id. */
export const CausingRequest = ({ storeId, requestId }: { readonly storeId: string; readonly requestId: string | null }) => {
  if (requestId === null) return <span className="mute">not known</span>;
  if (isPortal) return <Id value={requestId} />;
  return (
    <Link className="mono" to="/stores/$storeId/search" params={{ storeId }} search={{ q: requestId }}>
      {requestId}
    </Link>
  );
};
