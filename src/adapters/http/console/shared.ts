/** All that the console shares with the server: the types of answers, and words and rules that the command line has too. */
export type * from '../answers.ts';
export { SCOPE_WORDS } from '../../../domain/identity/scope-words.ts';
export { ENFORCED_SCOPES, KNOWN_SCOPES, type Scope } from '../../../domain/identity/scope.ts';
export { REFUSED_BECAUSE } from '../../../domain/insight/audit-refusal.ts';
export { impactText } from '../../../domain/insight/impact-text.ts';
export { type Percentile, percentileOf } from '../../../domain/insight/percentile.ts';
export { missingScope, whyRefused } from '../../../domain/insight/refusals/why-refused.ts';
export type { LoggedMethod } from '../../../domain/insight/refused-request.ts';
export type { WaitingReason } from '../../../domain/webhooks/delivery.ts';
export { ERROR_NAMES } from '../../../domain/webhooks/error-names.ts';
export { receiverName } from '../../../domain/webhooks/receiver.ts';
export { WHY_NOT_SENDABLE } from '../../../domain/webhooks/why-not-sendable.ts';
export { isHold, WHY_WAITING } from '../../../domain/webhooks/why-waiting.ts';
