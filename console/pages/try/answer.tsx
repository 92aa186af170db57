import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { isPortal } from '../../api/client.ts';
import { Badge, StatusBadge } from '../../parts/badge.tsx';
import { Id } from '../../parts/copy.tsx';
import { Code, Json } from '../../parts/json.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { Answer } from './send.ts';
import { plural } from '../../parts/plural.ts';

export const isReplay = ({ headers }: Answer): boolean => headers['idempotent-replay'] === 'true';

const Body = ({ answer: { body, headers, isTruncated } }: { readonly answer: Answer }) => {
  if (body === '') return <p className="mute">The response has no body.</p>;
  const isJson = /\bjson\b/.test(headers['content-type'] ?? '');
  return (
    <>
      {isJson && !isTruncated ? <Json value={body} what="the body" /> : <Code text={body} what="the body" />}
      {isTruncated && <p className="mute">Only the beginning of the body is shown.</p>}
    </>
  );
};

/** The call as a shell command. The token is hidden until the reader asks for it. */
const Curl = ({ curl, token }: { readonly curl: string; readonly token: string | null }) => {
  const [isShown, setShown] = useState(false);
  return (
    <details>
      <summary>Show as curl command</summary>
      <div className="stack after">
        <Code text={isShown && token !== null ? curl.replace('$TOKEN', token) : curl} what="the curl command" />
        {token !== null && (
          <div>
            <button type="button" className="button small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? 'Hide the token' : 'Show the token'}
            </button>
          </div>
        )}
      </div>
    </details>
  );
};

/** Links to more about a call in the console. */
const More = ({
  answer: { status, requestId, call },
  storeId,
  appId,
}: {
  readonly answer: Answer;
  readonly storeId: string;
  readonly appId: string;
}) => {
  const key = call.headers['Idempotency-Key'];
  if (isPortal) return null;
  return (
    <div className="row">
      {status >= 400 && requestId !== null && (
        <Link to="/stores/$storeId/requests" params={{ storeId }} search={{ open: requestId }}>
          Why was it refused?
        </Link>
      )}
      {key !== undefined && (
        <Link to="/stores/$storeId/keys" params={{ storeId }} search={{ app: appId, key }}>
          History of the key
        </Link>
      )}
    </div>
  );
};

interface AnswerProps {
  readonly answer: Answer;
  /** Null where the page does not have it. */
  readonly token: string | null;
  readonly storeId: string;
  readonly appId: string;
}

/** Shows status, headers and body of a response. */
export const AnswerDetail = ({ answer, token, storeId, appId }: AnswerProps) => {
  const { status, durationMs, requestId, headers, curl } = answer;
  return (
    <div className="stack">
      <div className="row">
        <StatusBadge status={status} />
        {isReplay(answer) && <Badge tone="info">Idempotent-Replay: true</Badge>}
        <span className="mute num">{durationMs.toLocaleString(undefined, { maximumFractionDigits: 1 })} ms</span>
        {requestId !== null && <Id value={requestId} short />}
      </div>
      {isReplay(answer) && (
        <Notice tone="info" title="The same response again">
          The key was already used, so the work was not done again.
        </Notice>
      )}
      <Body answer={answer} />
      <details>
        <summary>{plural(Object.keys(headers).length, 'header')}</summary>
        <dl className="facts after">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      <Curl curl={curl} token={token} />
      <More answer={answer} storeId={storeId} appId={appId} />
    </div>
  );
};
