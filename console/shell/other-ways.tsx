import { useMutation, useQuery } from '@tanstack/react-query';

import { KeyRound, LogIn } from '../icons/index.ts';
import { isPortal } from '../api/client.ts';
import { signInWithPasskey } from '../api/passkey.ts';
import { sessionQuery } from '../api/queries.ts';
import { beginSignIn } from '../api/session.ts';
import { messageOf, Notice } from '../parts/notice.tsx';
import { leaveFor } from './sign-in-return.ts';

interface OtherWaysProps {
  readonly next: string | undefined;
  readonly isBusy: boolean;
  readonly onSignedIn: () => void;
}

/** Signing in with a passkey or at the identity provider, where this console has it. */
export const OtherWays = ({ next, isBusy, onSignedIn }: OtherWaysProps) => {
  const { data } = useQuery({ ...sessionQuery, enabled: !isPortal });
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
  const provider = useMutation({
    mutationFn: () => beginSignIn<{ readonly url: string }>('provider'),
    onSuccess: ({ url }) => leaveFor(url, next),
  });
  const ways = data?.ways;
  if (!ways || (!ways.passkey && ways.provider === null)) return null;
  const error = passkey.error ?? provider.error;
  const isDisabled = isBusy || passkey.isPending || provider.isPending;
  return (
    <>
      {error !== null && <Notice tone="bad" title={messageOf(error)} />}
      {ways.passkey && (
        <button
          type="button"
          className="button"
          disabled={isDisabled}
          onClick={() => {
            provider.reset();
            passkey.mutate();
          }}
        >
          <KeyRound size={16} aria-hidden /> Sign in with a passkey
        </button>
      )}
      {ways.provider !== null && (
        <button
          type="button"
          className="button"
          disabled={isDisabled}
          onClick={() => {
            passkey.reset();
            provider.mutate();
          }}
        >
          <LogIn size={16} aria-hidden /> Sign in with {ways.provider}
        </button>
      )}
      <p className="or">or</p>
    </>
  );
};
