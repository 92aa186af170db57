/**
 * Reasons why a delivery cannot be sent again, even if its receiver works. The first one that
 * applies counts.
 */
export const NOT_SENDABLE = ['removed', 'deactivated', 'not_allowed'] as const;
export type NotSendable = (typeof NOT_SENDABLE)[number];

/** Reasons as sentences, with what helps. */
export const WHY_NOT_SENDABLE: Readonly<Record<NotSendable, string>> = {
  removed: 'The subscription was deleted. Create it again to receive later events.',
  deactivated: 'The subscription is deactivated. Fix the receiver, then reactivate the subscription.',
  not_allowed: 'The app was uninstalled, or lacks the scope of this event type.',
};
