import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';

import { isPortal } from '../../api/client.ts';
import { appsQuery, sessionQuery } from '../../api/queries.ts';
import { Empty } from '../../parts/empty.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { AppSelect } from '../apps/app-select.tsx';
import { appQuery } from '../apps/queries.ts';
import { CallSelect } from './call-select.tsx';
import { operationsOf, type Operation } from './document.ts';
import { documentQuery } from './queries.ts';
import type { Token } from './send.ts';
import { Trial, type Caller } from './trial.tsx';

const route = getRouteApi('/inside/stores/$storeId/try');

const INSTALLED = ['Installed'] as const;

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

const Chosen = ({ app, operations }: { readonly app: Caller; readonly operations: readonly Operation[] }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [tokens, setTokens] = useState<Readonly<Record<string, Token>>>({});
  const operation = operations.find(({ id }) => id === search.call) ?? operations[0];
  if (!operation) return null;
  const go = (change: typeof search): void =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true, resetScroll: false });
  return (
    <>
      <div className="try-choice">
        {!isPortal && (
          <AppSelect
            storeId={app.storeId}
            isLabelShown
            none={null}
            status={INSTALLED}
            chosen={app.id}
            onChange={(id) => id !== undefined && go({ app: id })}
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

interface Called {
  /** Undefined while it is not known, null where there is none. */
  readonly caller: Caller | null | undefined;
  readonly error: unknown;
}

/** The installed app that is chosen, else the first one. */
const useChosenApp = (storeId: string): Called => {
  const { app } = route.useSearch();
  const first = useQuery({ ...appsQuery(storeId, { status: INSTALLED, take: 1 }), enabled: !isPortal });
  const chosen = useQuery({ ...appQuery(app ?? ''), enabled: !isPortal && app !== undefined });
  if (chosen.data?.status === 'Installed' && chosen.data.storeId === storeId) return { caller: chosen.data, error: null };
  if (first.data === undefined || chosen.isLoading) return { caller: undefined, error: first.error };
  return { caller: first.data.items[0] ?? null, error: null };
};

/** Returns the caller: an app of the store, or in an app's console the app itself. */
const useCaller = (storeId: string): Called => {
  const called = useChosenApp(storeId);
  const session = useQuery({ ...sessionQuery, enabled: isPortal });
  const own = session.data?.installation;
  return isPortal ? { caller: own && { ...own, storeId }, error: session.error } : called;
};

const INTRO = isPortal
  ? 'Call the API as your app and see the response.'
  : 'Call the API as an app, with a ten-minute token, and see the response.';

export const TryPage = () => {
  const { storeId } = route.useParams();
  const { caller, error } = useCaller(storeId);
  const queries = useQueryClient();
  const document = useQuery(documentQuery);
  const failure = error ?? document.error;
  return (
    <Page title="Try it" intro={INTRO}>
      {failure !== null && (
        <Failure
          error={failure}
          retry={() => void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })}
        />
      )}
      {failure === null && (caller === undefined || !document.data) && <Skeleton lines={8} />}
      {caller === null && <NoApp storeId={storeId} />}
      {caller && document.data && <Chosen app={caller} operations={operationsOf(document.data)} />}
    </Page>
  );
};
