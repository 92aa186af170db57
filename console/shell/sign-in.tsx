import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState, type SubmitEvent } from 'react';

import { audience } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { signIn } from '../api/session.ts';
import { Field } from '../parts/field.tsx';
import { messageOf, Notice } from '../parts/notice.tsx';
import { LinkSignIn } from './link-sign-in.tsx';
import { Logo } from './logo.tsx';
import { OtherWays } from './other-ways.tsx';
import { answerOfAddress, codeOfAddress, forgetCode, hasProof, nextOfLeaving } from './sign-in-return.ts';

const FIELDS = {
  merchant: [
    {
      name: 'token',
      label: 'Admin token',
      hint: 'The server printed it at its first start, unless ADMIN_TOKEN was set. The token of an operator works too.',
    },
  ],
  app: [
    { name: 'clientId', label: 'Client id', hint: undefined },
    { name: 'clientSecret', label: 'Client secret', hint: 'The merchant received both when the app was installed.' },
  ],
} as const;

/** A link may be opened, or another tab may sign in, while this page waits. */
const LOOK_MS = 5_000;

export const SignIn = () => {
  const { next } = getRouteApi('/sign-in').useSearch();
  const queries = useQueryClient();
  const router = useRouter();
  const enter = (to: string | undefined): void => {
    forgetCode();
    // The next page reads the session again.
    queries.removeQueries({ queryKey: sessionQuery.queryKey });
    // The browser's back button does not lead to a form that is done.
    void router.navigate({ href: to ?? '/', replace: true });
  };
  const [isByLink] = useState(hasProof);
  // Not a session that another page has read: it may have ended, which is why the reader is here.
  const { data: session, isFetchedAfterMount } = useQuery({
    ...sessionQuery,
    enabled: !isByLink,
    refetchOnMount: 'always',
    refetchInterval: LOOK_MS,
  });
  const isSignedIn = !isByLink && isFetchedAfterMount && session?.ok === true;
  const enterNext = useEffectEvent(() => enter(next));
  useEffect(() => {
    if (isSignedIn) enterNext();
  }, [isSignedIn]);
  const signing = useMutation({ mutationFn: signIn });
  const [code, setCode] = useState(codeOfAddress);
  const [refusal, setRefusal] = useState<Error | null>(null);
  const takeAnswer = useEffectEvent((provider: string) => {
    const to = nextOfLeaving();
    signing.mutate({ provider }, { onSuccess: () => enter(to) });
  });
  useEffect(() => {
    const answer = answerOfAddress();
    if (answer !== null) takeAnswer(answer);
  }, []);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const proof = Object.fromEntries([...form].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']));
    setRefusal(null);
    signing.mutate(proof, { onSuccess: () => enter(next) });
  };
  if (code !== null) {
    const leave = (reason: Error | null): void => {
      forgetCode();
      setRefusal(reason);
      setCode(null);
    };
    return <LinkSignIn code={code} onSignedIn={() => enter(next)} onKept={() => enter(next)} onLeft={leave} />;
  }
  const error = signing.error ?? refusal;
  return (
    <main className="entry">
      <form className="panel" style={{ width: 'min(400px, 100%)' }} onSubmit={submit}>
        <div className="dialog-body">
          <div className="row">
            <Logo />
            <h1>{audience === 'app' ? 'Tenon for app developers' : 'Tenon console'}</h1>
          </div>
          {error !== null && <Notice tone="bad" title={messageOf(error)} />}
          <OtherWays next={next} isBusy={signing.isPending} onSignedIn={() => enter(next)} />
          {FIELDS[audience].map(({ name, label, hint }, index) => (
            <Field
              key={name}
              name={name}
              label={label}
              hint={hint}
              type={name === 'clientId' ? 'text' : 'password'}
              autoComplete={name === 'clientId' ? 'username' : 'current-password'}
              autoFocus={index === 0}
              required
            />
          ))}
          <button type="submit" className="button primary" disabled={signing.isPending}>
            {signing.isPending ? 'Signing in' : 'Sign in'}
          </button>
          <p className="hint">If you have a sign-in link, open it in this browser. This page then continues by itself.</p>
        </div>
      </form>
    </main>
  );
};
