import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Attention } from '../../api/types.ts';
import type { Tone } from '../../parts/badge.tsx';
import { Ago, spanText } from '../../parts/time.tsx';
import { whyRefused } from '../../../src/domain/insight/refusals/why-refused.ts';

/** One thing that needs someone. */
export interface Matter {
  readonly key: string;
  readonly tone: Tone;
  readonly word: string;
  readonly what: ReactNode;
  readonly why?: ReactNode;
}

/** Deliveries are usually sent within a second. */
const LATE_SECONDS = 10;
/** Reasons for refusals that are listed. */
const MOST_REASONS = 5;

interface Bounded {
  readonly count: number;
  readonly isComplete: boolean;
}

const countText = ({ count, isComplete }: Bounded): string =>
  `${isComplete ? '' : 'At least '}${count.toLocaleString()} ${count === 1 ? 'delivery' : 'deliveries'}`;

type AppName = (id: string | null) => string;

const failing = (storeId: string, { failingSubscriptions, deactivatedSubscriptions }: Attention, appName: AppName): Matter[] => [
  ...deactivatedSubscriptions.items.map(({ id, url, installationId }) => ({
    key: id,
    tone: 'bad' as const,
    word: 'Deactivated',
    what: (
      <Link to="/stores/$storeId/subscriptions" params={{ storeId }} search={{ open: id }}>
        {appName(installationId)}
      </Link>
    ),
    why: `${url} was deactivated after failing for 5 days. Create the subscription again when the receiver works.`,
  })),
  ...failingSubscriptions.items.map(({ id, url, installationId, health }) => ({
    key: id,
    tone: health.breaker === 'closed' ? ('warn' as const) : ('bad' as const),
    word: health.breaker === 'closed' ? 'Failing' : 'Breaker open',
    what: (
      <Link to="/stores/$storeId/subscriptions" params={{ storeId }} search={{ open: id }}>
        {appName(installationId)}
      </Link>
    ),
    why: (
      <>
        {url} began to fail {health.failingSince !== null && <Ago at={health.failingSince} />}
        {health.nextProbeAt !== null && (
          <>
            , and is tried again <Ago at={health.nextProbeAt} />
          </>
        )}
        .
      </>
    ),
  })),
];

const HELD_BECAUSE: Readonly<Record<Attention['held'][number]['reason'], string>> = {
  store_inactive: 'The store is inactive. Activate it to send them.',
  app_suspended: 'Their app is suspended. Resume it to send them.',
  breaker_open: 'Their receiver failed 10 times in a row. They will be sent when a probe succeeds.',
};

const waiting = (storeId: string, { due, held, failedDeliveries }: Attention): Matter[] => [
  ...(failedDeliveries.count === 0
    ? []
    : [
        {
          key: 'failed',
          tone: 'bad' as const,
          word: 'Failed',
          what: (
            <Link
              to="/stores/$storeId/deliveries"
              params={{ storeId }}
              search={{ status: ['Failed'], since: failedDeliveries.since }}
            >
              {countText({ count: failedDeliveries.count, isComplete: true })} of the last 24 hours
            </Link>
          ),
          why: 'They have no attempts left. Fix the receiver, then redeliver them.',
        },
      ]),
  ...(due.oldest === null || due.oldest.secondsLate < LATE_SECONDS
    ? []
    : [
        {
          key: 'due',
          tone: 'warn' as const,
          word: 'Late',
          what: (
            <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={{ open: due.oldest.deliveryId }}>
              {countText(due)} due
            </Link>
          ),
          why: `The oldest has been due for ${spanText(due.oldest.secondsLate)}. Check that a worker is running and keeping up.`,
        },
      ]),
  ...held.map(({ reason, ...count }) => ({
    key: reason,
    tone: 'warn' as const,
    word: 'Held',
    what: (
      <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={{ status: ['Held'] }}>
        {countText(count)} on hold
      </Link>
    ),
    why: HELD_BECAUSE[reason],
  })),
];

const refused = (storeId: string, { refusals, checkedAt }: Attention): Matter[] =>
  refusals.slice(0, MOST_REASONS).map(({ check, reason, count }) => {
    const words = whyRefused({ check, reason, code: null });
    return {
      key: `${check} ${reason}`,
      tone: 'mute' as const,
      word: 'Refused',
      what: (
        <Link
          to="/stores/$storeId/requests"
          params={{ storeId }}
          search={{ since: new Date(Date.parse(checkedAt) - 3_600_000).toISOString() }}
        >
          {count.toLocaleString()} {count === 1 ? 'request' : 'requests'} of the last hour
        </Link>
      ),
      why: `${words.name}. ${words.help}`,
    };
  });

const imports = (storeId: string, { mediaImports }: Attention, appName: AppName): Matter[] =>
  mediaImports.items.map(({ id, installationId, items, firstError }) => ({
    key: id,
    tone: 'warn' as const,
    word: 'Import',
    what: (
      <Link to="/stores/$storeId/media" params={{ storeId }} search={{ open: id }}>
        {items.failed.toLocaleString()} of {items.total.toLocaleString()} images of {appName(installationId)}
      </Link>
    ),
    why: firstError?.message,
  }));

/** What needs someone, the most urgent first. */
export const mattersOf = (storeId: string, attention: Attention, appName: AppName): readonly Matter[] => [
  ...failing(storeId, attention, appName),
  ...waiting(storeId, attention),
  ...imports(storeId, attention, appName),
  ...refused(storeId, attention),
];
