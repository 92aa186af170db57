import { isDelivered, judgeAttempt, wasSent } from '../../../domain/webhooks/delivery.ts';
import { sharedTraceparent } from '../../../domain/trace.ts';
import { attemptHeaders, signedContent } from '../../../domain/webhooks/webhook-message.ts';
import type { AttemptRecord, DeliveryTarget } from '../../../domain/ports/webhooks/delivery-repository.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { Lease } from '../../../domain/ports/work-lease.ts';
import type { Breaker } from './breaker.ts';
import type { DeliveryBatch, TakenDelivery } from './delivery-batch.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import type { SettleAttempt } from './settle-attempt.ts';

export interface DeliveryTurn {
  readonly target: DeliveryTarget;
  readonly lease: Lease;
  readonly batch: Pick<DeliveryBatch, 'settled'>;
  readonly breaker: Breaker;
}

export interface Delivering {
  readonly ports: Pick<Ports, 'clock' | 'secrets' | 'webhookSender'>;
  readonly settings: Pick<DeliverySettings, 'schedule' | 'onAttempt'>;
  readonly settle: SettleAttempt;
}

/**
 * Signs and sends a delivery once, and resolves with the attempt when it is recorded. An aborted
 * attempt counts as not begun: null.
 */
export const attemptDelivery = ({ ports, settings, settle }: Delivering, { target, lease, batch, breaker }: DeliveryTurn) => {
  const { clock, secrets, webhookSender } = ports;
  const { storeId, subscriptionId, installationId, url, secretsOf } = target;
  const askedBy = installationId ?? secretsOf;
  const signers = target.secrets.map((sealed) => secrets.webhookSigner(secrets.open(sealed, secretsOf)));

  return async ({ delivery, takenAt }: TakenDelivery): Promise<AttemptRecord | null> => {
    const startedAt = clock.now();
    const waitedSeconds = delivery.attempts === 0 ? (startedAt - takenAt) / 1000 + delivery.ageSeconds : null;
    const timestamp = Math.floor(startedAt / 1000);
    const number = delivery.attempts + 1;
    const content = signedContent(delivery.eventId, timestamp, delivery.body);
    const signature = signers.map((sign) => sign(content)).join(' ');
    const traceparent = sharedTraceparent(delivery, { installationId, deliveryId: delivery.id, number });
    const headers = attemptHeaders({
      eventId: delivery.eventId,
      timestamp,
      signature,
      subscriptionId,
      number,
      gap: delivery.gap,
      traceparent,
    });
    const response = await webhookSender.send({ subscriptionId, askedBy, url, headers, body: delivery.body }, lease.signal);
    if (response === null) return null;
    const { status, address, error, durationMs, body } = response;
    // Jitter is for retries only, and most attempts are delivered.
    const random = isDelivered(response) ? 0 : (secrets.randomBytes(1)[0] ?? 0) / 256;
    const verdict = judgeAttempt(settings.schedule, delivery.tries + 1, response, random);
    // The clocks of this node and of the database differ a little.
    const waitedMs = waitedSeconds === null ? null : Math.max(0, Math.round(waitedSeconds * 1000));
    const attempt = {
      storeId,
      deliveryId: delivery.id,
      number,
      startedAt,
      durationMs,
      waitedMs,
      status,
      address,
      error,
      response: body,
      signature: wasSent(response) ? signature : null,
      gap: delivery.gap,
      verdict,
    };
    await settle({ attempt, health: breaker.record(response) });
    batch.settled(delivery.id);
    const observed = { outcome: verdict.kind, durationSeconds: durationMs / 1000, waitedSeconds };
    settings.onAttempt(observed, { target, delivery, attempt });
    return attempt;
  };
};
