import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Badge } from '../../parts/badge.tsx';
import { errorName } from '../deliveries/words.ts';
import { ReceiverOf } from '../subscriptions/receiver-name.tsx';
import { whyRefused } from '../../../src/adapters/http/console/shared.ts';
import type { Activity } from './live-activity.ts';

type Of<K extends Activity['kind']> = Extract<Activity, { kind: K }>;

interface Words {
  readonly badge: ReactNode;
  readonly what: ReactNode;
  readonly note: ReactNode;
}

const event = (storeId: string, { id, type, resourceId }: Of<'event'>): Words => ({
  badge: <Badge tone="info">Event</Badge>,
  what: (
    <Link to="/stores/$storeId/events" params={{ storeId }} search={{ open: id }}>
      {type}
    </Link>
  ),
  note: resourceId ?? '',
});

const OUTCOMES = {
  delivered: <Badge tone="ok">Delivered</Badge>,
  retry: <Badge tone="warn">Retrying</Badge>,
  failed: <Badge tone="bad">Failed</Badge>,
} as const;

const attempt = (storeId: string, frame: Of<'attempt'>): Words => {
  const { deliveryId, eventType, subscriptionId, outcome, status, error, durationMs } = frame;
  const answer = error === null ? `${status ?? 'no response'}` : errorName(error);
  return {
    badge: OUTCOMES[outcome],
    what: (
      <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={{ open: deliveryId }}>
        {eventType}
      </Link>
    ),
    note: (
      <>
        to <ReceiverOf storeId={storeId} subscriptionId={subscriptionId} />: {answer} in {durationMs.toLocaleString()} ms
      </>
    ),
  };
};

const refusal = (storeId: string, frame: Of<'refusal'>): Words => ({
  badge: <Badge>Refused</Badge>,
  what: (
    <Link to="/stores/$storeId/requests" params={{ storeId }} search={{ open: frame.requestId }}>
      {frame.route}
    </Link>
  ),
  note: `${frame.status}: ${whyRefused(frame).name}`,
});

const importOf = (storeId: string, frame: Of<'import'>): Words => {
  const { of, id, isDryRun, status, read, failed } = frame;
  const isMedia = of === 'media';
  return {
    badge: <Badge tone={failed > 0 ? 'warn' : 'info'}>{isDryRun ? 'Dry run' : 'Import'}</Badge>,
    what: isMedia ? (
      <Link to="/stores/$storeId/media" params={{ storeId }} search={{ open: id }}>
        Images
      </Link>
    ) : (
      <Link to="/stores/$storeId/import" params={{ storeId }}>
        Products
      </Link>
    ),
    note: `${status === 'Running' ? 'running: ' : ''}${read.toLocaleString()} read, ${failed.toLocaleString()} failed`,
  };
};

/** Describes an entry of the live list, with a link. */
export const wordsOfActivity = (storeId: string, frame: Activity): Words => {
  switch (frame.kind) {
    case 'event':
      return event(storeId, frame);
    case 'attempt':
      return attempt(storeId, frame);
    case 'refusal':
      return refusal(storeId, frame);
    case 'import':
      return importOf(storeId, frame);
  }
};
