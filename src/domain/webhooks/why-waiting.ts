import type { Hold, WaitingReason } from './delivery.ts';

interface Words {
  /** Reason as a clause. */
  readonly name: string;
  /** Time of the next attempt, and what helps. */
  readonly help: string;
}

/** Reasons for a wait, in the words of the console and the command line. */
export const WHY_WAITING: Readonly<Record<WaitingReason, Words>> = {
  store_inactive: { name: 'the store is inactive', help: 'It is sent when you activate the store.' },
  app_suspended: { name: 'the app is suspended', help: 'It is sent when you resume the app.' },
  paused_by_merchant: {
    name: 'the merchant paused the receiver',
    help: 'It is sent when the merchant resumes the receiver. Nothing is lost meanwhile.',
  },
  paused_after_failures: {
    name: 'the receiver is paused',
    help: 'The last 10 attempts at this receiver failed. Fix it: one delivery at a time tries it, and the first success releases the others.',
  },
  queued: { name: 'it is queued', help: 'It is usually sent within a second.' },
};

/** True when something must end before the delivery can be sent. */
export const isHold = (reason: WaitingReason | null): reason is Hold => reason !== null && reason !== 'queued';
