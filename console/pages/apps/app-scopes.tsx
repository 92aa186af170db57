import { useState } from 'react';

import { api } from '../../api/client.ts';
import type { Installation } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { May } from '../../parts/may.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/page.tsx';
import { useAction } from '../../parts/use-action.ts';
import { APP_CHANGES } from './queries.ts';
import { ScopePicker } from './scope-picker.tsx';
import { scopeHelp, type Scope } from './scopes.ts';

interface AppProps {
  readonly app: Installation;
}

const Change = ({ app, onClose }: AppProps & { readonly onClose: () => void }) => {
  const [scopes, setScopes] = useState<readonly Scope[]>(app.scopes);
  const change = useAction({
    act: () => api.patch(`/apps/${app.id}`, { scopes }),
    said: 'Scopes changed.',
    onDone: onClose,
    changes: APP_CHANGES,
  });
  const lost = app.scopes.filter((scope) => !scopes.includes(scope));
  const isSame = lost.length === 0 && scopes.length === app.scopes.length;
  return (
    <FormDialog
      title="Change the scopes"
      action="Change the scopes"
      isBusy={change.isPending}
      isDisabled={isSame}
      error={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <p className="mute">The change applies from the next request of the app. It needs no new token.</p>
      <ScopePicker chosen={scopes} onChange={setScopes} />
      {lost.length > 0 && (
        <Notice tone="warn" title={`The app loses ${lost.join(', ')}`}>
          Requests that need it get 403. Queued deliveries of events that it may no longer receive are dropped.
        </Notice>
      )}
    </FormDialog>
  );
};

export const AppScopes = ({ app }: AppProps) => {
  const [isChanging, setChanging] = useState(false);
  return (
    <Panel
      title="Scopes"
      isFlush
      actions={
        app.status !== 'Uninstalled' && (
          <May>
            <button type="button" className="button small" onClick={() => setChanging(true)}>
              Change the scopes
            </button>
          </May>
        )
      }
    >
      {app.scopes.length === 0 ? (
        <Empty title="No scopes">The app can get a token, but every request is refused.</Empty>
      ) : (
        <ul className="lines">
          {app.scopes.map((scope) => (
            <li key={scope}>
              <div className="grow">
                <code>{scope}</code>
                <div className="mute">{scopeHelp(scope)}</div>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isChanging && <Change app={app} onClose={() => setChanging(false)} />}
    </Panel>
  );
};
