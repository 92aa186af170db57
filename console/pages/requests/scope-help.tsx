import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { appQuery } from '../apps/queries.ts';

interface ScopeHelpProps {
  readonly installationId: string;
  readonly missing: string;
}

/** For a 403: the scope that is missing beside those that the app has now. */
export const ScopeHelp = ({ installationId, missing }: ScopeHelpProps) => {
  const { storeId = '' } = useParams({ strict: false });
  const called = useQuery({ ...appQuery(installationId), enabled: !isPortal });
  const session = useQuery({ ...sessionQuery, enabled: isPortal });
  const app = isPortal ? session.data?.installation : called.data;
  if (!app) return null;
  const isGranted = app.scopes.some((scope) => scope === missing || scope.replace(/^write_/, 'read_') === missing);
  return (
    <>
      <dl className="facts">
        <dt>Missing</dt>
        <dd>
          <code className={isGranted ? 'tag' : 'tag bad'}>{missing}</code>
          {isGranted && <span className="mute"> was granted since then</span>}
        </dd>
        <dt>The app has</dt>
        <dd className="chips">
          {app.scopes.length === 0 && <span className="mute">no scopes</span>}
          {app.scopes.map((scope) => (
            <code key={scope} className="tag">
              {scope}
            </code>
          ))}
        </dd>
      </dl>
      {!isPortal && (
        <p>
          <Link to="/stores/$storeId/apps/$appId" params={{ storeId, appId: installationId }}>
            Change the scopes of <bdi>{app.name}</bdi>
          </Link>
        </p>
      )}
    </>
  );
};
