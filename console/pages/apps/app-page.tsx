import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';

import type { Installation } from '../../api/types.ts';
import { AppBadge } from '../../parts/badge.tsx';
import { Skeleton } from '../../parts/empty.tsx';
import { May } from '../../parts/may.tsx';
import { Failure, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { AppCredentials } from './app-credentials.tsx';
import { AppFacts } from './app-facts.tsx';
import { AppScopes } from './app-scopes.tsx';
import { AppStatus } from './app-status.tsx';
import { DEFAULT_RANGE } from '../overview/ranges.ts';
import { Calls } from './calls.tsx';
import { appQuery } from './queries.ts';

const route = getRouteApi('/inside/stores/$storeId/apps/$appId');

const StatusNotice = ({ app }: { readonly app: Installation }) => {
  if (app.status === 'Suspended') {
    return (
      <Notice tone="warn" title="This app is suspended">
        Its requests get 401, and its deliveries are held. Resume it below.
      </Notice>
    );
  }
  if (app.uninstalledAt === null) return null;
  return (
    <Notice tone="info" title="This app is uninstalled">
      <span>
        Since <Time at={app.uninstalledAt} />. It cannot come back: install it again, and it gets new credentials.
      </span>
    </Notice>
  );
};

export const AppPage = () => {
  const { storeId, appId } = route.useParams();
  const { range = DEFAULT_RANGE } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery(appQuery(appId));
  const app = found.data;
  return (
    <Page
      title={app?.name ?? 'App'}
      beside={app && <AppBadge status={app.status} />}
      intro="What this app does and may do, its credentials, and how to stop it."
      actions={
        <Link to="/stores/$storeId/apps" params={{ storeId }} className="button">
          All apps
        </Link>
      }
    >
      {found.isPending && <Skeleton lines={8} />}
      {found.isError && <Failure error={found.error} retry={() => void found.refetch()} />}
      {app && <StatusNotice app={app} />}
      {app && (
        <Calls
          appId={appId}
          range={range}
          onRange={(chosen) => void navigate({ search: { range: chosen }, resetScroll: false })}
        />
      )}
      {app && (
        <div className="columns short">
          <div className="stack gap">
            <AppFacts app={app} />
            <May>
              <AppCredentials app={app} />
              {app.status !== 'Uninstalled' && <AppStatus app={app} />}
            </May>
          </div>
          <AppScopes app={app} />
        </div>
      )}
    </Page>
  );
};
