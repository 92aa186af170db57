import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import { ApiError } from '../../api/problem.ts';
import type { AcceptedInstall, AskedScope, InstallRequest, RefusedInstall } from '../../api/types.ts';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Countdown } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Logo } from '../../shell/logo.tsx';
import { installRequestQuery } from './queries.ts';

const Asked = ({ asked }: { readonly asked: AskedScope }) => (
  <span>
    {asked.allows}
    <small className="mute">
      <code>{asked.scope}</code>
      {asked.isGranted && ', which it has already'}
    </small>
  </span>
);

interface OptionalProps {
  readonly asked: readonly AskedScope[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Optional scopes start unchecked: the merchant grants what the merchant wants to grant. */
const OptionalScopes = ({ asked, chosen, onChange }: OptionalProps) => (
  <fieldset className="stack">
    <legend>It also asks, and works without it:</legend>
    {asked.map((one) => (
      <label key={one.scope} className="check">
        <input
          type="checkbox"
          checked={one.isGranted || chosen.includes(one.scope)}
          disabled={one.isGranted}
          onChange={(event) =>
            onChange(event.target.checked ? [...chosen, one.scope] : chosen.filter((scope) => scope !== one.scope))
          }
        />
        <Asked asked={one} />
      </label>
    ))}
  </fieldset>
);

const leave = ({ redirectUrl }: RefusedInstall): void => location.assign(redirectUrl);

const Decision = ({ request }: { readonly request: InstallRequest }) => {
  const { app, store, scopes } = request;
  const required = scopes.filter(({ isRequired }) => isRequired);
  const optional = scopes.filter(({ isRequired }) => !isRequired);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const at = `/install-requests/${request.id}`;
  const wanted = [...required.map(({ scope }) => scope), ...chosen];
  const accept = useAction({
    act: () => api.post<AcceptedInstall>(`${at}/accept`, { scopes: wanted }),
    onDone: leave,
    changes: [],
  });
  const refuse = useAction({ act: () => api.post<RefusedInstall>(`${at}/refuse`), onDone: leave, changes: [] });
  const isDecided = accept.isPending || refuse.isPending || accept.isSuccess || refuse.isSuccess;
  const isInstalled = scopes.some(({ isGranted }) => isGranted);
  return (
    <>
      <div className="row">
        <Logo />
        <h1>
          <bdi>{app.name}</bdi> asks for {isInstalled ? 'more access to' : 'access to'} <bdi>{store.name}</bdi>
        </h1>
      </div>
      {store.name !== store.domain && <p className="mute">{store.domain}</p>}
      {required.length > 0 && (
        <section className="stack">
          <h2>It can then:</h2>
          <ul>
            {required.map((one) => (
              <li key={one.scope} className="check">
                <Asked asked={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {optional.length > 0 && <OptionalScopes asked={optional} chosen={chosen} onChange={setChosen} />}
      {accept.isError && <Failure error={accept.error} />}
      {refuse.isError && <Failure error={refuse.error} />}
      <May otherwise={<p>Your role may not decide this. Ask an operator of the store, or its owner.</p>}>
        <div className="row">
          <button type="button" className="button primary" disabled={isDecided} onClick={() => accept.mutate()}>
            {isInstalled ? 'Allow it' : 'Install the app'}
          </button>
          <button type="button" className="button" disabled={isDecided} onClick={() => refuse.mutate()}>
            Refuse
          </button>
        </div>
        <p className="hint">
          You then return to <strong>{new URL(request.redirectUrl).host}</strong>. You can take access away at any time, on the
          page of the app. This request ends in <Countdown to={request.expiresAt} done="a moment" />.
        </p>
      </May>
    </>
  );
};

/** Only the server knows whether there is something to decide. */
const NotRead = ({ error, retry }: { readonly error: Error; readonly retry: () => void }) => {
  const isOver = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return (
    <>
      <h1>{isOver ? 'There is nothing to decide' : 'The request of the app could not be read'}</h1>
      {isOver && (
        <p>The request was decided before, has expired, or is for a store that you do not manage. Begin again in the app.</p>
      )}
      <Failure error={error} {...(!isOver && { retry })} />
    </>
  );
};

/** An app sent the merchant here. The merchant decides once, and returns to the app. */
export const InstallPage = () => {
  const { request: id } = getRouteApi('/install').useSearch();
  const request = useQuery(installRequestQuery(id));
  return (
    <main className="entry">
      <div className="panel" style={{ width: 'min(560px, 100%)' }}>
        <div className="dialog-body form">
          <Found query={request} lines={5} failed={(error, retry) => <NotRead error={error} retry={retry} />}>
            {(data) => <Decision request={data} />}
          </Found>
        </div>
      </div>
    </main>
  );
};
