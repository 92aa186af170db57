import type { DeliveryFilter } from '../../../../domain/ports/webhooks/delivery-log.ts';
import { DELIVERY_STATUSES, isQueued, QUEUED_STATUSES, type DeliveryStatus } from '../../../../domain/webhooks/delivery.ts';

/** What the version before called a delivery that has not ended. Its processes may run beside this one. */
const OLDER_QUEUED = ['Pending', 'Delivering', 'Held'] as const;

export type KeptFilter = Omit<DeliveryFilter, 'statuses'> & {
  readonly statuses?: readonly (DeliveryStatus | (typeof OLDER_QUEUED)[number])[] | undefined;
};

const isKnown = (status: string): status is DeliveryStatus => (DELIVERY_STATUSES as readonly string[]).includes(status);

/** Both names of what has not ended: a process of the version before knows only its own, and takes more rather than nothing. */
export const keptFilter = ({ waitingBecause, statuses, ...filter }: DeliveryFilter): KeptFilter => {
  const wanted = statuses ?? (waitingBecause === undefined ? undefined : (['Waiting'] as const));
  return { ...filter, waitingBecause, statuses: wanted?.some(isQueued) === true ? [...wanted, ...OLDER_QUEUED] : wanted };
};

/** The filter in the words of this version. Older words count where no other word is for what has not ended. */
export const filterOfKept = ({ statuses, ...filter }: KeptFilter): DeliveryFilter => {
  if (statuses === undefined) return filter;
  const known = statuses.filter(isKnown);
  const isOlder = known.length < statuses.length && !known.some(isQueued);
  return { ...filter, statuses: isOlder ? [...known, ...QUEUED_STATUSES] : known };
};
