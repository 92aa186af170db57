import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';

import type { Installation } from '../../api/types.ts';
import { AppBadge } from '../../parts/badge.tsx';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { Notice } from '../../parts/notice.tsx';
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
      <Found query={found} lines={8}>
        {(data) => (
          <>
            <StatusNotice app={data} />
            <Calls
              appId={appId}
              range={range}
              onRange={(chosen) => void navigate({ search: { range: chosen }, resetScroll: false })}
            />
            <div className="columns short">
              <div className="stack gap">
                <AppFacts app={data} />
                <May>
                  <AppCredentials app={data} />
                  {data.status !== 'Uninstalled' && <AppStatus app={data} />}
                </May>
              </div>
              <AppScopes app={data} />
            </div>
          </>
        )}
      </Found>
    </Page>
  );
};
