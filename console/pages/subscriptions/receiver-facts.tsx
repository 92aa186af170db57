import type { WatchedSubscription } from '../../api/types.ts';
import { CopyButton, Id } from '../../parts/copy.tsx';
import { Facts, Panel } from '../../parts/page.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Ago, Countdown, Time } from '../../parts/time.tsx';
import { Owner } from './owner.tsx';

interface FactsProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
}

/** Since when it is in its state, and what comes next. */
const healthFacts = ({ failingSince, nextProbeAt, deactivatesAt, pausedAt, deactivatedAt }: WatchedSubscription['health']) => [
  ...(deactivatedAt === null ? [] : [['Deactivated', <Ago key="g" at={deactivatedAt} />] as const]),
  ...(pausedAt === null ? [] : [['Paused', <Ago key="u" at={pausedAt} />] as const]),
  ...(failingSince === null ? [] : [['Failing since', <Ago key="f" at={failingSince} />] as const]),
  ...(nextProbeAt === null ? [] : [['Next probe', <Countdown key="p" to={nextProbeAt} done="due now" />] as const]),
  ...(deactivatesAt === null
    ? []
    : [
        [
          'Deactivated in',
          <span key="d">
            <Countdown to={deactivatesAt} done="a moment" /> <span className="mute">if no attempt succeeds before</span>
          </span>,
        ] as const,
      ]),
];

export const ReceiverFacts = ({ storeId, subscription }: FactsProps) => {
  const { id, url, eventTypes, filter, fields, order, gather, include, createdAt, updatedAt, health } = subscription;
  return (
    <Panel title="Subscription">
      <Facts
        facts={[
          ...healthFacts(health),
          [
            'Address',
            <span key="u" className="row">
              <code>{url}</code> <CopyButton text={url} what="the address" />
            </span>,
          ],
          ['Owner', <Owner key="a" storeId={storeId} subscription={subscription} />],
          ['Events', <Tags key="e" tags={eventTypes} none="none" />],
          ...(filter === null ? [] : [['Filter', <code key="l">{JSON.stringify(filter)}</code>] as const]),
          ...(fields === null ? [] : [['Fields', <Tags key="d" tags={fields} none="none" />] as const]),
          ...(order === null ? [] : [['Order', 'the events of one resource, one after the other'] as const]),
          ...(gather === null
            ? []
            : [['Gathers', `until no change came for ${gather.quietSeconds} s, at most ${gather.maxSeconds} s`] as const]),
          ...(include === null ? [] : [['Includes', <Tags key="n" tags={include} none="none" />] as const]),
          ['Created', <Time key="c" at={createdAt} />],
          ...(updatedAt === null ? [] : [['Changed', <Time key="t" at={updatedAt} />] as const]),
          ['Id', <Id key="i" value={id} />],
        ]}
      />
    </Panel>
  );
};
