import type { AttemptRecord } from '../../../domain/ports/webhooks/delivery-repository.ts';

export const attemptAnswer = ({ deliveryId, number, verdict, status, error, durationMs, response }: AttemptRecord) => ({
  deliveryId,
  number,
  outcome: verdict.kind,
  status,
  error,
  durationMs,
  response,
});
