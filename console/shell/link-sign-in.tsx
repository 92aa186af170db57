import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

import { sessionQuery } from '../api/queries.ts';
import { lookAtCode, signIn, signOut, type Session } from '../api/session.ts';
import { Logo } from './logo.tsx';

/** Name of the session's owner; null for none. */
const nameOf = (session: Session | undefined): string | null => {
  if (session?.ok !== true) return null;
  return session.operator?.name ?? session.platformApp?.name ?? session.installation?.name ?? 'somebody';
};

interface LinkSignInProps {
  readonly code: string;
  readonly onSignedIn: () => void;
  /** The reader stays who they are. */
  readonly onKept: () => void;
  /** Without a reason, the reader wants another way. */
  readonly onLeft: (reason: Error | null) => void;
}

/**
 * Asks before a one-time link signs in, because anybody can lead a browser to one. The code is not used by looking at it, and the
 * session that the browser has ends only when the reader says so.
 */
export const LinkSignIn = ({ code, onSignedIn, onKept, onLeft }: LinkSignInProps) => {
  const session = useQuery(sessionQuery);
  const link = useQuery({
    queryKey: ['code', code],
    queryFn: () => lookAtCode(code),
    staleTime: Infinity,
    gcTime: 0,
  });
  const refused = useEffectEvent(onLeft);
  useEffect(() => {
    if (link.error !== null) refused(link.error);
  }, [link.error]);
  const present = nameOf(session.data);
  const signing = useMutation({
    mutationFn: async () => {
      if (present !== null) await signOut();
      await signIn({ code });
    },
    onSuccess: onSignedIn,
    onError: onLeft,
  });
  if (link.data === undefined || session.isPending) return null;
  const who = <bdi>{link.data.name}</bdi>;
  return (
    <main className="entry">
      <div className="panel" style={{ width: 'min(400px, 100%)' }}>
        <div className="dialog-body">
          <div className="row">
            <Logo />
            <h1>Sign in as {who}?</h1>
          </div>
          <p>
            {present === null ? (
              'You opened a one-time link.'
            ) : (
              <>
                You are signed in as <bdi>{present}</bdi>. This link ends that session and signs you in as {who}.
              </>
            )}{' '}
            Continue only if you expected it.
          </p>
          <button type="button" className="button primary" disabled={signing.isPending} onClick={() => signing.mutate()}>
            {signing.isPending ? 'Signing in' : <>Sign in as {who}</>}
          </button>
          <button type="button" className="button" onClick={() => (present === null ? onLeft(null) : onKept())}>
            {present === null ? (
              'Sign in another way'
            ) : (
              <>
                Stay signed in as <bdi>{present}</bdi>
              </>
            )}
          </button>
        </div>
      </div>
    </main>
  );
};
