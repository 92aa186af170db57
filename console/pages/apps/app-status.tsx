import { useState } from 'react';

import { api } from '../../api/client.ts';
import type { Installation } from '../../api/types.ts';
import { EffectsDialog } from '../../parts/effects-dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { useAction } from '../../parts/use-action.ts';
import { APP_CHANGES } from './queries.ts';
import { UninstallApp } from './uninstall-app.tsx';

const CHANGES = {
  Suspended: {
    action: 'Suspend the app',
    said: 'suspended',
    help: 'Blocks the app until you resume it.',
    effects: [
      'Its access tokens are revoked, and it cannot get new ones.',
      'Its deliveries are held. They are sent when you resume it, unless their schedule ends first.',
      'Its subscriptions, scopes and secrets stay as they are.',
    ],
  },
  Installed: {
    action: 'Resume the app',
    said: 'resumed',
    help: 'Lets the app in again.',
    effects: ['It can get access tokens again, with the same secrets.', 'Its held deliveries are sent now.'],
  },
} as const;

interface AppProps {
  readonly app: Installation;
}

const Ask = ({ app, to, onClose }: AppProps & { readonly to: keyof typeof CHANGES; readonly onClose: () => void }) => {
  const change = useAction({
    act: () => api.patch(`/apps/${app.id}`, { status: to }),
    said: `${app.name} is ${CHANGES[to].said}.`,
    onDone: onClose,
    changes: APP_CHANGES,
  });
  const { action, effects } = CHANGES[to];
  return (
    <EffectsDialog
      title={action.replace('the app', app.name)}
      action={action}
      isDanger={to === 'Suspended'}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      effects={effects}
      onClose={onClose}
    />
  );
};

/** Stops the app for a while or for good. */
export const AppStatus = ({ app }: AppProps) => {
  const [open, setOpen] = useState<keyof typeof CHANGES | 'uninstall' | null>(null);
  const to = app.status === 'Suspended' ? 'Installed' : 'Suspended';
  const { action, help } = CHANGES[to];
  return (
    <Panel title="Stop" isFlush>
      <ul className="lines">
        <li>
          <p className="grow">{help}</p>
          <button type="button" className="button small" onClick={() => setOpen(to)}>
            {action}
          </button>
        </li>
        <li>
          <p className="grow">Ends it for good. You first see what that ends.</p>
          <button type="button" className="button small danger" onClick={() => setOpen('uninstall')}>
            Uninstall the app
          </button>
        </li>
      </ul>
      {open !== null && open !== 'uninstall' && <Ask app={app} to={open} onClose={() => setOpen(null)} />}
      {open === 'uninstall' && <UninstallApp app={app} onClose={() => setOpen(null)} />}
    </Panel>
  );
};
