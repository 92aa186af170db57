import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import { faultOf } from '../../api/problem.ts';
import type { Installation } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { May } from '../../parts/may.tsx';
import { Facts, Panel } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { APP_CHANGES } from './queries.ts';

interface AppProps {
  readonly app: Installation;
}

const Rename = ({ app, onClose }: AppProps & { readonly onClose: () => void }) => {
  const [name, setName] = useState(app.name);
  const rename = useAction({
    act: () => api.patch(`/apps/${app.id}`, { name: name.trim() }),
    said: 'App renamed.',
    onDone: onClose,
    changes: APP_CHANGES,
  });
  return (
    <FormDialog
      title="Rename the app"
      action="Rename"
      isBusy={rename.isPending}
      isDisabled={name.trim() === ''}
      error={rename.error}
      fields={['name']}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        value={name}
        fault={faultOf(rename.error, 'name')}
        autoFocus
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
};

export const AppFacts = ({ app }: AppProps) => {
  const [isRenaming, setRenaming] = useState(false);
  const { id, storeId, clientId, createdAt, updatedAt, uninstalledAt } = app;
  const search = { app: id };
  return (
    <Panel
      title="App"
      actions={
        app.status !== 'Uninstalled' && (
          <May>
            <button type="button" className="button small" onClick={() => setRenaming(true)}>
              Rename
            </button>
          </May>
        )
      }
    >
      <div className="stack gap">
        <Facts
          facts={[
            ['Client id', <Id key="c" value={clientId} />],
            ['Installation', <Id key="i" value={id} />],
            ['Installed', <Time key="t" at={createdAt} />],
            ...(updatedAt === null ? [] : [['Changed', <Time key="u" at={updatedAt} />] as const]),
            ...(uninstalledAt === null ? [] : [['Uninstalled', <Time key="x" at={uninstalledAt} />] as const]),
          ]}
        />
        <nav className="row" aria-label="What the app does">
          <Link to="/stores/$storeId/subscriptions" params={{ storeId }} search={search} className="button small">
            Subscriptions
          </Link>
          <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={search} className="button small">
            Deliveries
          </Link>
          <Link to="/stores/$storeId/requests" params={{ storeId }} search={search} className="button small">
            Refused requests
          </Link>
        </nav>
      </div>
      {isRenaming && <Rename app={app} onClose={() => setRenaming(false)} />}
    </Panel>
  );
};
