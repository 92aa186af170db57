import type { Notice } from '../../../domain/insight/incident-message.ts';
import { INCIDENT_RULES } from '../../../domain/insight/incident-rules.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { Secrets } from '../../../domain/ports/secrets.ts';
import { isoTime } from '../../../domain/time.ts';
import { signedContent } from '../../../domain/webhooks/webhook-message.ts';

interface Making {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly secrets: Pick<Secrets, 'webhookSigner'>;
}

const shown = ({ phase, incident }: Notice) => {
  const { id, storeId, store, kind, name, beganAt, endedAt, impact, cause } = incident;
  const { name: title, counts } = INCIDENT_RULES[kind];
  const of = { id, storeId, store, kind, title, name, beganAt };
  return { phase, ...of, endedAt: phase === 'end' ? endedAt : null, impact: { count: impact, of: counts }, cause };
};

/** Signed as Standard Webhooks 1.0.0 specifies, like the webhooks of apps. */
export const webhookMessage = (notices: readonly Notice[], secret: string, { clock, ids, secrets }: Making) => {
  const id = ids.next();
  const now = clock.now();
  const timestamp = Math.floor(now / 1000);
  const body = JSON.stringify({ id, type: 'incidents', timestamp: isoTime(now), data: { incidents: notices.map(shown) } });
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tenon-Incidents',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': secrets.webhookSigner(secret)(signedContent(id, timestamp, body)),
    },
    body,
  };
};
