import { z } from 'zod';

import type { AttemptRecord } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { ATTEMPT_ERRORS } from '../../../domain/webhooks/delivery.ts';
import { exampleId } from '../kit/example-record.ts';

export const attemptNow = z
  .object({
    deliveryId: z.guid().meta({ description: 'What was sent: the delivery that was due first, or a new `ping`.' }),
    number: z.int().meta({ description: 'The number of the attempt at this delivery.' }),
    outcome: z.enum(['delivered', 'retry', 'failed']).meta({
      description: 'retry: it failed, and another attempt is planned. failed: it was the last attempt of the delivery.',
    }),
    status: z.int().nullable().meta({ description: 'The status of the response. Null if none was received.' }),
    error: z.enum(ATTEMPT_ERRORS).nullable(),
    durationMs: z.int(),
    response: z.string().nullable().meta({ description: 'At most the first 4 KiB of the response body.' }),
  })
  .meta({
    id: 'AttemptNow',
    examples: [
      { deliveryId: exampleId(61), number: 3, outcome: 'delivered', status: 204, error: null, durationMs: 38, response: '' },
    ],
  });

export const attemptAnswer = ({ deliveryId, number, verdict, status, error, durationMs, response }: AttemptRecord) => ({
  deliveryId,
  number,
  outcome: verdict.kind,
  status,
  error,
  durationMs,
  response,
});
