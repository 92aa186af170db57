import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyLife } from './key-life.tsx';
import { isNoSuchKey, keyQuery } from './queries.ts';

const route = getRouteApi('/inside/stores/$storeId/keys');

const NoSuchKey = () => (
  <div className="panel">
    <Empty title="This app has no such key">
      No request with this key started its work: it may have been refused earlier, or never arrived. Or the key expired long ago
      and was removed. The next request with it does the work. Upper and lower case matter, and each app has keys of its own.
    </Empty>
  </div>
);

const Life = ({ storeId, app, keyText }: { readonly storeId: string; readonly app: string; readonly keyText: string }) => {
  const life = useQuery(keyQuery(app, keyText));
  return (
    <Found
      query={life}
      lines={6}
      failed={(error, retry) => (isNoSuchKey(error) ? <NoSuchKey /> : <Failure error={error} retry={retry} />)}
    >
      {(data) => <KeyLife storeId={storeId} life={data} />}
    </Found>
  );
};

export const KeysPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const { key } = search;
  const session = useQuery({ ...sessionQuery, enabled: isPortal });
  const app = isPortal ? session.data?.installation?.id : search.app;
  const navigate = route.useNavigate();
  return (
    <Page
      title="Idempotency keys"
      intro="The history of a key, from its first request to its expiry: did that write happen once?"
    >
      <KeyForm
        storeId={storeId}
        app={app}
        keyText={key}
        onChange={(change) => void navigate({ search: (old) => ({ ...old, ...change }) as typeof old })}
      />
      {app !== undefined && key !== undefined ? (
        <Life storeId={storeId} app={app} keyText={key} />
      ) : (
        <div className="panel">
          <Empty title={isPortal ? 'Enter a key' : 'Choose an app and enter a key'}>
            An app sends an Idempotency-Key with each bulk update and each media import. A retry with the same key gets the same
            response, and the work is done once.
          </Empty>
        </div>
      )}
    </Page>
  );
};
