import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';

import { isPortal } from '../../api/client.ts';
import { appsQuery, sessionQuery } from '../../api/queries.ts';
import { Empty, Skeleton } from '../../parts/empty.tsx';
import { Select } from '../../parts/field.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { CallSelect } from './call-select.tsx';
import { operationsOf, type Operation } from './document.ts';
import { documentQuery } from './queries.ts';
import type { Token } from './send.ts';
import { Trial, type Caller } from './trial.tsx';

const route = getRouteApi('/inside/stores/$storeId/try');

const NoApp = ({ storeId }: { readonly storeId: string }) => (
  <div className="panel">
    <Empty
      title="No app to call as"
      actions={
        <Link to="/stores/$storeId/apps" params={{ storeId }} className="button primary">
          Install an app
        </Link>
      }
    >
      A call is made as an installed app, with its scopes. Install one, or resume one that is suspended.
    </Empty>
  </div>
);

const Chosen = ({ apps, operations }: { readonly apps: readonly Caller[]; readonly operations: readonly Operation[] }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [tokens, setTokens] = useState<Readonly<Record<string, Token>>>({});
  const app = apps.find(({ id }) => id === search.app) ?? apps[0];
  const operation = operations.find(({ id }) => id === search.call) ?? operations[0];
  if (!app || !operation) return null;
  const go = (change: typeof search): void =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true, resetScroll: false });
  return (
    <>
      <div className="try-choice">
        {!isPortal && (
          <Select
            label="App"
            isLabelShown
            options={apps.map(({ id, name }) => [id, name] as const)}
            chosen={app.id}
            onChange={(id) => go({ app: id })}
          />
        )}
        <CallSelect operations={operations} chosen={operation.id} onChange={(call) => go({ call })} />
      </div>
      <Trial
        key={`${app.id} ${operation.id}`}
        app={app}
        operation={operation}
        token={tokens[app.id] ?? null}
        onToken={(token) => setTokens({ ...tokens, [app.id]: token })}
      />
    </>
  );
};

/** Whom the reader may call as: every installed app, or in an app's console the app alone. */
const useCallers = (storeId: string): { readonly callers: readonly Caller[] | undefined; readonly error: unknown } => {
  const apps = useQuery({ ...appsQuery(storeId), enabled: !isPortal });
  const session = useQuery({ ...sessionQuery, enabled: isPortal });
  const own = session.data?.installation;
  if (isPortal) return { callers: own && [{ ...own, storeId }], error: session.error };
  return { callers: apps.data?.items.filter(({ status }) => status === 'Installed'), error: apps.error };
};

const INTRO = isPortal
  ? 'Call the API as your app and see the response.'
  : 'Call the API as an app, with a ten-minute token, and see the response.';

export const TryPage = () => {
  const { storeId } = route.useParams();
  const { callers, error } = useCallers(storeId);
  const document = useQuery(documentQuery);
  const failure = error ?? document.error;
  return (
    <Page title="Try it" intro={INTRO}>
      {failure !== null && <Failure error={failure} retry={() => void document.refetch()} />}
      {failure === null && (!callers || !document.data) && <Skeleton lines={8} />}
      {callers?.length === 0 && <NoApp storeId={storeId} />}
      {callers !== undefined && callers.length > 0 && document.data && (
        <Chosen apps={callers} operations={operationsOf(document.data)} />
      )}
    </Page>
  );
};
