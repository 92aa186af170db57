import { useQuery } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { Installation } from '../../api/types.ts';
import { FormDialog } from '../../parts/form.tsx';
import { Found } from '../../parts/found.tsx';
import { useAction } from '../../parts/use-action.ts';
import { APP_CHANGES, uninstallPreviewQuery } from './queries.ts';
import { plural } from '../../parts/plural.ts';

interface UninstallProps {
  readonly app: Installation;
  readonly onClose: () => void;
}

/** Lists what an uninstall ends before it is done. */
export const UninstallApp = ({ app, onClose }: UninstallProps) => {
  const preview = useQuery(uninstallPreviewQuery(app.id));
  const uninstall = useAction({
    act: () => api.post(`/apps/${app.id}/uninstall`),
    said: `${app.name} is uninstalled.`,
    onDone: onClose,
    changes: APP_CHANGES,
  });
  return (
    <FormDialog
      title={`Uninstall ${app.name}`}
      action="Uninstall the app"
      isDanger
      isBusy={uninstall.isPending}
      isDisabled={!preview.data}
      error={uninstall.error}
      onSubmit={() => uninstall.mutate()}
      onClose={onClose}
    >
      <Found query={preview} lines={4}>
        {(ends) => (
          <>
            <p>This takes effect immediately and cannot be undone:</p>
            <ul className="bullets">
              <li>{plural(ends.deliveries, 'queued delivery is', 'queued deliveries are')} dropped.</li>
              <li>{plural(ends.subscriptions, 'subscription is', 'subscriptions are')} removed.</li>
              <li>{plural(ends.tokens, 'access token is', 'access tokens are')} revoked.</li>
              {ends.mediaImports > 0 && <li>{plural(ends.mediaImports, 'media import is', 'media imports are')} stopped.</li>}
              <li>Its client secret and its signing secret stop working.</li>
            </ul>
            {!ends.isComplete && <p className="mute">These counts stopped early: there are more.</p>}
            <p className="mute">
              What the app wrote stays. Your own subscriptions to app.uninstalled receive an event. To stop the app for a while,
              suspend it instead.
            </p>
          </>
        )}
      </Found>
    </FormDialog>
  );
};
