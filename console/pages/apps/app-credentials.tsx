import { useState } from 'react';

import { api } from '../../api/client.ts';
import type { Installation } from '../../api/types.ts';
import { FormDialog } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { useAction } from '../../parts/use-action.ts';
import { APP_CHANGES } from './queries.ts';
import { RotateSecret, type SECRETS } from './rotate-secret.tsx';
import { SecretLines } from './secret-lines.tsx';
import { SignInLink } from './sign-in-link.tsx';

interface AppProps {
  readonly app: Installation;
}

const RevokeTokens = ({ app, onClose }: AppProps & { readonly onClose: () => void }) => {
  const revoke = useAction({
    act: () => api.post(`/apps/${app.id}/revoke-tokens`),
    said: 'Tokens revoked.',
    onDone: onClose,
    changes: APP_CHANGES,
  });
  return (
    <FormDialog
      title={`Revoke the tokens of ${app.name}`}
      action="Revoke the tokens"
      isDanger
      isBusy={revoke.isPending}
      error={revoke.error}
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        Each access token of the app stops working immediately. The app can get a new one with its client secret. To keep it out,
        rotate the client secret first, without an overlap.
      </p>
    </FormDialog>
  );
};

/** How the app proves who it is, and how that is replaced. */
export const AppCredentials = ({ app }: AppProps) => {
  const [open, setOpen] = useState<keyof typeof SECRETS | 'tokens' | 'link' | null>(null);
  const close = (): void => setOpen(null);
  if (app.status === 'Uninstalled') return null;
  return (
    <Panel title="Credentials" isFlush>
      <ul className="lines">
        <SecretLines app={app} onRotate={setOpen} />
        <li>
          <div className="grow">
            <h3>Access tokens</h3>
            <p className="mute">The app gets them with its client secret. Each is valid for a limited time.</p>
          </div>
          <button type="button" className="button small" onClick={() => setOpen('tokens')}>
            Revoke<span className="visually-hidden"> the access tokens</span>
          </button>
        </li>
        {app.status === 'Installed' && (
          <li>
            <div className="grow">
              <h3>Console of the app</h3>
              <p className="mute">
                Its developer sees the app's own events, deliveries, subscriptions, refused requests and keys there.
              </p>
            </div>
            <button type="button" className="button small" onClick={() => setOpen('link')}>
              Create a sign-in link
            </button>
          </li>
        )}
      </ul>
      {open === 'link' && (
        <SignInLink
          path={`/apps/${app.id}`}
          about={`of ${app.name} signs in to the console of the app: its own events, deliveries, subscriptions and refused requests`}
          onClose={close}
        />
      )}
      {open === 'tokens' && <RevokeTokens app={app} onClose={close} />}
      {(open === 'client' || open === 'signing') && <RotateSecret path={`/apps/${app.id}`} which={open} onClose={close} />}
    </Panel>
  );
};
