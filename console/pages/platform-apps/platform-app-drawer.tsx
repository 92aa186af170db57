import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import type { PlatformApp } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EffectsDialog } from '../../parts/effects-dialog.tsx';
import { May } from '../../parts/may.tsx';
import { Facts } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { RotateSecret, type SECRETS } from '../apps/rotate-secret.tsx';
import { SecretLines } from '../apps/secret-lines.tsx';
import { SignInLink } from '../apps/sign-in-link.tsx';
import { installationsQuery } from './queries.ts';
import { PlatformAppBadge } from './status-badge.tsx';
import { plural } from '../../parts/plural.ts';

interface AppProps {
  readonly app: PlatformApp;
}

const CHANGES = {
  Suspended: {
    action: 'Suspend on every store',
    said: 'suspended on every store',
    effects: [
      'From the next request on, the app may not call any store.',
      'Its deliveries are held. They are sent when you resume it, unless their schedule ends first.',
      'Its installations, scopes and secrets stay as they are.',
    ],
  },
  Active: {
    action: 'Resume on every store',
    said: 'active again',
    effects: ['It can get access tokens again, with the same secrets.', 'Its held deliveries are sent now.'],
  },
} as const;

const ChangeStatus = ({ app, onClose }: AppProps & { readonly onClose: () => void }) => {
  // The question of the dialog stays when the app is read again.
  const [to] = useState(app.status === 'Active' ? ('Suspended' as const) : ('Active' as const));
  const { action, said, effects } = CHANGES[to];
  const change = useAction({
    act: () => api.patch(`/platform-apps/${app.id}`, { status: to }),
    said: `${app.name} is ${said}.`,
    onDone: onClose,
    changes: ['platform-apps', 'app', 'apps'],
  });
  return (
    <EffectsDialog
      title={`${action}: ${app.name}`}
      action={action}
      isDanger={to === 'Suspended'}
      isBusy={change.isPending}
      error={change.error}
      effects={effects}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    />
  );
};

/** An address breaks behind a slash or an ampersand, and before its query. A word breaks where nothing else helps. */
const Breakable = ({ text }: { readonly text: string }) =>
  text.split(/(?<=[/&])(?!\/)|(?=\?)/).map((part, at) => (
    <span key={at} className="unbroken">
      {part}
    </span>
  ));

const Codes = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.length === 0 ? (
    <span className="mute">None</span>
  ) : (
    <ul className="stack">
      {texts.map((text) => (
        <li key={text}>
          <code className="wrap">
            <Breakable text={text} />
          </code>
        </li>
      ))}
    </ul>
  );

/** Shows a platform app: its scopes and redirect URLs, its secrets, and how to stop it everywhere. */
export const PlatformAppDrawer = ({ app, onClose }: AppProps & { readonly onClose: () => void }) => {
  const [open, setOpen] = useState<keyof typeof SECRETS | 'status' | 'link' | null>(null);
  const installations = useQuery(installationsQuery(app.id));
  const close = (): void => setOpen(null);
  const live = installations.data?.items.filter(({ status }) => status !== 'Uninstalled').length;
  return (
    <Dialog kind="drawer" title={app.name} onClose={onClose}>
      <div className="stack gap">
        <Facts
          facts={[
            ['Status', <PlatformAppBadge key="s" status={app.status} />],
            ['Client id', <Id key="c" value={app.clientId} />],
            ['Redirect URLs', <Codes key="r" texts={app.redirectUrls} />],
            ['Required scopes', <Codes key="q" texts={app.scopes} />],
            ['Optional scopes', <Codes key="o" texts={app.optionalScopes} />],
            ['Event address', <Codes key="e" texts={app.eventUrl === null ? [] : [app.eventUrl]} />],
            ['Installed on', live === undefined ? '…' : plural(live, 'store')],
            ['Registered', <Time key="t" at={app.createdAt} />],
          ]}
        />
        <May everywhere>
          <ul className="lines">
            <SecretLines app={app} onRotate={setOpen} />
            {app.status === 'Active' && (
              <li>
                <p className="grow">Its developer sees all of its installations in the app console.</p>
                <button type="button" className="button small" onClick={() => setOpen('link')}>
                  Create a sign-in link
                </button>
              </li>
            )}
            <li>
              <p className="grow">One change, for all of its stores.</p>
              <button type="button" className="button small" onClick={() => setOpen('status')}>
                {CHANGES[app.status === 'Active' ? 'Suspended' : 'Active'].action}
              </button>
            </li>
          </ul>
        </May>
      </div>
      {open === 'link' && (
        <SignInLink
          path={`/platform-apps/${app.id}`}
          about={`of ${app.name} signs in to the app console: the installations of the app on all stores, with their events, deliveries, subscriptions and refused requests`}
          onClose={close}
        />
      )}
      {open === 'status' && <ChangeStatus app={app} onClose={close} />}
      {(open === 'client' || open === 'signing') && (
        <RotateSecret path={`/platform-apps/${app.id}`} which={open} onClose={close} />
      )}
    </Dialog>
  );
};
