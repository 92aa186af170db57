import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';

import { sessionQuery } from '../../api/queries.ts';
import { useReread } from '../../api/reread.ts';
import { Id } from '../../parts/copy.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Facts, Page, Panel } from '../../parts/page.tsx';
import { Calls } from '../apps/calls.tsx';
import { DEFAULT_RANGE } from '../overview/ranges.ts';
import { LatestDeliveries } from '../subscriptions/latest-deliveries.tsx';

const route = getRouteApi('/inside/stores/$storeId/');

/** A write_ scope includes its read_ scope. */
const meaningOf = (scope: string): string => {
  const [verb = '', ...what] = scope.split('_');
  const things = what.join(' ');
  return verb === 'write' ? `Read and change ${things}` : `Read ${things}`;
};

const Scopes = ({ scopes }: { readonly scopes: readonly string[] }) => {
  if (scopes.length === 0) return <p className="mute">The app has no scopes. The merchant grants them.</p>;
  return (
    <ul className="stack">
      {scopes.map((scope) => (
        <li key={scope} className="row">
          <code className="tag">{scope}</code>
          <span className="mute">{meaningOf(scope)}</span>
        </li>
      ))}
    </ul>
  );
};

/** Shows the app's installation on this store, and its scopes. */
export const HomePage = () => {
  const { storeId } = route.useParams();
  const { range = DEFAULT_RANGE } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useQuery(sessionQuery);
  useReread({ storeId, concerns: () => true, keys: [['deliveries', storeId]] });
  const { store, installation } = session.data ?? {};
  return (
    <Page
      title={installation?.name ?? 'App'}
      intro="What your app may do on this store, how its calls were answered, and whether its events arrived."
    >
      {installation && (
        <Calls
          appId={installation.id}
          range={range}
          onRange={(chosen) => void navigate({ search: { range: chosen }, resetScroll: false })}
        />
      )}
      {store && installation ? (
        <div className="columns top">
          <div className="stack gap">
            <Panel title="Installation">
              <Facts
                facts={[
                  ['Store', store.name],
                  ['Domain', <code key="d">{store.domain}</code>],
                  ['Installation', <Id key="i" value={installation.id} />],
                  ['Store id', <Id key="s" value={store.id} />],
                ]}
              />
            </Panel>
            <Panel
              title="Scopes"
              actions={
                <Link to="/stores/$storeId/try" params={{ storeId }} className="button small">
                  Try the API
                </Link>
              }
            >
              <Scopes scopes={installation.scopes} />
            </Panel>
          </div>
          <LatestDeliveries storeId={storeId} />
        </div>
      ) : (
        <Skeleton lines={6} />
      )}
    </Page>
  );
};
