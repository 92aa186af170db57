import { useState } from 'react';

import { api } from '../../api/client.ts';
import type { Installation } from '../../api/types.ts';
import { FormDialog } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { Countdown, useSecond } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { APP_CHANGES } from './queries.ts';
import { RotateSecret, SECRETS } from './rotate-secret.tsx';
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

/** Whether an old secret is still valid, and for how long. */
const Overlap = ({ until }: { readonly until: string | null }) => {
  const second = useSecond();
  if (until === null || Date.parse(until) / 1000 <= second) return <p className="mute">One secret is valid.</p>;
  return (
    <p className="tone-warn">
      The old secret ends in{' '}
      <strong>
        <Countdown to={until} />
      </strong>
      .
    </p>
  );
};

/** How the app proves who it is, and how that is replaced. */
export const AppCredentials = ({ app }: AppProps) => {
  const [open, setOpen] = useState<keyof typeof SECRETS | 'tokens' | 'link' | null>(null);
  const close = (): void => setOpen(null);
  const until = { client: app.previousClientSecretExpiresAt, signing: app.previousSigningSecretExpiresAt };
  if (app.status === 'Uninstalled') return null;
  return (
    <Panel title="Credentials" isFlush>
      <ul className="lines">
        {(['client', 'signing'] as const).map((which) => (
          <li key={which}>
            <div className="grow">
              <h3>{SECRETS[which].name}</h3>
              <Overlap until={until[which]} />
            </div>
            <button type="button" className="button small" onClick={() => setOpen(which)}>
              Rotate<span className="visually-hidden"> the {SECRETS[which].name.toLowerCase()}</span>
            </button>
          </li>
        ))}
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
              <p className="mute">Its developer sees the app's own events, deliveries and subscriptions there.</p>
            </div>
            <button type="button" className="button small" onClick={() => setOpen('link')}>
              Create a sign-in link
            </button>
          </li>
        )}
      </ul>
      {open === 'link' && <SignInLink app={app} onClose={close} />}
      {open === 'tokens' && <RevokeTokens app={app} onClose={close} />}
      {(open === 'client' || open === 'signing') && <RotateSecret app={app} which={open} onClose={close} />}
    </Panel>
  );
};
