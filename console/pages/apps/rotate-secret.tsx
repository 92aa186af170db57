import { useState } from 'react';

import { api } from '../../api/client.ts';
import { Select } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { SecretsDialog } from '../../parts/secrets.tsx';
import { Countdown } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { APP_CHANGES } from './queries.ts';
import { clientSecret, signingSecret } from './secrets.ts';

const OVERLAPS = [
  ['0', 'None: revoke the old secret now'],
  ['3600', '1 hour'],
  ['86400', '1 day'],
  ['259200', '3 days'],
  ['604800', '7 days'],
] as const;

/** The two secrets of an app, with what a rotation does. */
export const SECRETS = {
  client: {
    name: 'Client secret',
    action: 'rotate-client-secret',
    during: 'Both secrets can get tokens until the overlap ends. Existing tokens stay valid.',
    now: 'The app cannot get a new token until it has the new secret.',
  },
  signing: {
    name: 'Signing secret',
    action: 'rotate-signing-secret',
    during: 'Each delivery is signed with both secrets until the overlap ends, so the app can switch at any time.',
    now: 'The app refuses deliveries until it has the new secret. They are retried on their schedule.',
  },
} as const;

interface Rotated {
  readonly clientSecret?: string;
  readonly signingSecret?: string;
  readonly previousExpiresAt: string;
}

interface RotateProps {
  /** Path of the app in the API. */
  readonly path: `/${string}`;
  readonly which: keyof typeof SECRETS;
  readonly onClose: () => void;
}

/** Makes a new secret, then shows it once. */
export const RotateSecret = ({ path, which, onClose }: RotateProps) => {
  const { name, action, during, now } = SECRETS[which];
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number][0]>('86400');
  const rotate = useAction({
    act: () => api.post<Rotated>(`${path}/${action}`, { overlapSeconds: Number(overlap) }),
    changes: APP_CHANGES,
  });
  const rotated = rotate.data;
  if (rotated) {
    const secret = which === 'client' ? clientSecret(rotated.clientSecret ?? '') : signingSecret(rotated.signingSecret ?? '');
    return (
      <SecretsDialog title={`New ${name.toLowerCase()}`} secrets={[secret]} onClose={onClose}>
        {overlap !== '0' && (
          <p>
            The old secret ends in <Countdown to={rotated.previousExpiresAt} />.
          </p>
        )}
      </SecretsDialog>
    );
  }
  return (
    <FormDialog
      title={`Rotate the ${name.toLowerCase()}`}
      action="Create a new secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <Select
        label="How long the old secret stays valid"
        options={OVERLAPS}
        chosen={overlap}
        onChange={setOverlap}
        isLabelShown
      />
      {overlap === '0' ? <Notice tone="warn">{now}</Notice> : <p className="mute">{during}</p>}
    </FormDialog>
  );
};
