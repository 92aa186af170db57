import type { Installation } from '../../api/types.ts';
import { Countdown, useSecond } from '../../parts/time.tsx';
import { SECRETS } from './rotate-secret.tsx';

interface LinesProps {
  readonly app: Pick<Installation, 'previousClientSecretExpiresAt' | 'previousSigningSecretExpiresAt'>;
  readonly onRotate: (which: keyof typeof SECRETS) => void;
}

/** Shows the time for which an old secret is still valid. */
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

/** The two secrets of an app, each with a button that rotates it. */
export const SecretLines = ({ app, onRotate }: LinesProps) => {
  const until = { client: app.previousClientSecretExpiresAt, signing: app.previousSigningSecretExpiresAt };
  return (['client', 'signing'] as const).map((which) => (
    <li key={which}>
      <div className="grow">
        <h3>{SECRETS[which].name}</h3>
        <Overlap until={until[which]} />
      </div>
      <button type="button" className="button small" onClick={() => onRotate(which)}>
        Rotate<span className="visually-hidden"> the {SECRETS[which].name.toLowerCase()}</span>
      </button>
    </li>
  ));
};
