import { Link } from '@tanstack/react-router';

import type { KeyLife as Life } from '../../api/types.ts';
import { Badge, StatusBadge } from '../../parts/badge.tsx';
import { Panel } from '../../parts/page.tsx';
import { spanText } from '../../parts/time-words.ts';
import { Ago, Time } from '../../parts/time.tsx';
import { stateWords } from './words.ts';
import { plural } from '../../parts/plural.ts';

const FEW = 20;

const tookText = (firstAt: string, finishedAt: string): string => {
  const ms = Date.parse(finishedAt) - Date.parse(firstAt);
  return ms < 1_000 ? `${ms} ms` : spanText(ms / 1_000);
};

/** First request, end and expiry, as far as they are known. */
const TimeLine = ({ life: { firstAt, finishedAt, expiresAt, state } }: { readonly life: Life }) => (
  <ol className="timeline">
    <li className="ok">
      <div className="row">
        <strong>First request</strong>
        <span className="mute">
          <Time at={firstAt} /> · <Ago at={firstAt} />
        </span>
      </div>
    </li>
    <li className={finishedAt === null ? (state === 'abandoned' ? 'bad' : '') : 'ok'}>
      <div className="row">
        <strong>{finishedAt === null ? (state === 'abandoned' ? 'Did not finish' : 'Runs now') : 'Finished'}</strong>
        {finishedAt !== null && (
          <span className="mute">
            <Time at={finishedAt} /> · {tookText(firstAt, finishedAt)} later
          </span>
        )}
      </div>
    </li>
    {expiresAt !== null && (
      <li>
        <div className="row">
          <strong>{state === 'expired' ? 'Expired' : 'Expires'}</strong>
          <span className="mute">
            <Time at={expiresAt} /> · <Ago at={expiresAt} />
          </span>
        </div>
      </li>
    )}
  </ol>
);

const Uses = ({ life: { replays, conflicts, mismatches } }: { readonly life: Life }) => (
  <dl className="panel figures">
    {(
      [
        ['Replays', replays, 'got the remembered response'],
        ['Conflicts', conflicts, '409 while it was running'],
        ['Mismatches', mismatches, '422 for another request'],
      ] as const
    ).map(([name, count, meaning]) => (
      <div key={name} className="figure">
        <dt>{name}</dt>
        <dd>
          {count.toLocaleString()} <small>{meaning}</small>
        </dd>
      </div>
    ))}
  </dl>
);

const Events = ({ storeId, eventIds }: { readonly storeId: string; readonly eventIds: readonly string[] }) => (
  <Panel title={`${plural(eventIds.length, 'event')} that it caused`}>
    {eventIds.length === 0 ? (
      <p className="mute">
        The request recorded no event: it was refused, it changed nothing, or it is a media import, which records its events
        later.
      </p>
    ) : (
      <ul className="stack" style={{ gap: 4 }}>
        {eventIds.slice(0, FEW).map((id) => (
          <li key={id}>
            <Link to="/stores/$storeId/events" params={{ storeId }} search={{ open: id }}>
              <code>{id}</code>
            </Link>
          </li>
        ))}
        {eventIds.length > FEW && <li className="mute">and {(eventIds.length - FEW).toLocaleString()} more</li>}
      </ul>
    )}
  </Panel>
);

/** Shows the state of a key, and the answer to the next request that carries it. */
export const KeyLife = ({ storeId, life }: { readonly storeId: string; readonly life: Life }) => {
  const { name, tone, meaning, same, other } = stateWords(life);
  return (
    <>
      <div className="columns">
        <Panel title="Life" actions={<Badge tone={tone}>{name}</Badge>}>
          <div className="stack">
            <p>{meaning}</p>
            <TimeLine life={life} />
          </div>
        </Panel>
        <Panel title="The next request with this key">
          <dl className="stack">
            <div>
              <dt className="mute">Same method, path and body</dt>
              <dd>{same}</dd>
            </div>
            <div>
              <dt className="mute">Anything else</dt>
              <dd>{other}</dd>
            </div>
            {life.status !== null && (
              <div>
                <dt className="mute">Remembered response</dt>
                <dd className="row">
                  <StatusBadge status={life.status} />
                  {life.bytes === null ? 'body not kept' : plural(life.bytes, 'byte')}
                </dd>
              </div>
            )}
          </dl>
        </Panel>
      </div>
      <Uses life={life} />
      <Events storeId={storeId} eventIds={life.eventIds} />
    </>
  );
};
