import { Link } from '@tanstack/react-router';

import type { Attention } from '../../api/types.ts';
import { spanText } from '../../parts/time-words.ts';
import { WHY_WAITING, whyRefused } from '../../../src/adapters/http/console/shared.ts';
import { countText, type AppName, type AttentionItem } from './attention-item.ts';
import { troubledReceivers } from './troubled-receivers.tsx';
import { plural } from '../../parts/plural.ts';
import { failedPlace, refusedPlace } from './attention-places.ts';

/** Deliveries are usually sent within a second. */
const LATE_SECONDS = 10;

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;

const waiting = (storeId: string, { due, held, failedDeliveries }: Attention): AttentionItem[] => [
  ...(failedDeliveries.count === 0
    ? []
    : [
        {
          key: 'failed',
          tone: 'bad' as const,
          word: 'Failed',
          what: <Link {...failedPlace(storeId)}>{countText(failedDeliveries)} failed in the last 24 hours</Link>,
          why: 'They are not tried again. Fix the receiver, reactivate it if it was deactivated, then redeliver them.',
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
    word: 'Waiting',
    what: (
      <Link to="/stores/$storeId/deliveries" params={{ storeId }} search={{ waiting: [reason] }}>
        {countText(count)} {count.count === 1 ? 'waits' : 'wait'}
      </Link>
    ),
    why: `${sentence(WHY_WAITING[reason].name)}. ${WHY_WAITING[reason].help}`,
  })),
];

const refused = (storeId: string, { refusals, checkedAt }: Attention): AttentionItem[] =>
  refusals.map(({ check, reason, count }) => {
    const words = whyRefused({ check, reason, code: null });
    return {
      key: `${check} ${reason}`,
      tone: 'mute' as const,
      word: 'Refused',
      what: <Link {...refusedPlace(storeId, { check, reason }, checkedAt)}>{plural(count, 'request')} of the last hour</Link>,
      why: `${words.name}. ${words.help}`,
    };
  });

const imports = (storeId: string, { mediaImports }: Attention, appName: AppName): AttentionItem[] =>
  mediaImports.items.map(({ id, installationId, items, firstError }) => ({
    key: id,
    tone: 'warn' as const,
    word: 'Import',
    what: (
      <Link to="/stores/$storeId/media" params={{ storeId }} search={{ open: id }}>
        {items.failed.toLocaleString()} of {plural(items.total, 'image')} of {appName(installationId)}
      </Link>
    ),
    why: firstError && (items.failed > 1 ? `The first: ${firstError.message}` : firstError.message),
  }));

/** The apps that are named there. Null is the merchant. */
export const appsIn = ({ failingSubscriptions, deactivatedSubscriptions, mediaImports }: Attention): readonly (string | null)[] =>
  [failingSubscriptions, deactivatedSubscriptions, mediaImports].flatMap(({ items }) =>
    items.map(({ installationId }) => installationId),
  );

/** Sorts the items that need attention by impact. */
export const attentionItemsOf = (storeId: string, attention: Attention, appName: AppName): readonly AttentionItem[] => [
  ...waiting(storeId, attention),
  ...troubledReceivers(storeId, attention, appName),
  ...imports(storeId, attention, appName),
  ...refused(storeId, attention),
];
