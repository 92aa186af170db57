import { z } from 'zod';

import { FOUND_KINDS, MAX_FOUND } from '../../../domain/insight/found.ts';
import { EXAMPLE_TIME, exampleId } from './example-record.ts';
import { nameOf } from './text.ts';

const example = { kind: 'event', id: exampleId(60), title: 'order.paid', at: EXAMPLE_TIME, installationId: null };

const found = z.object({
  kind: z.enum(FOUND_KINDS).meta({
    description: 'request: a refused request, or one that caused the events in this answer. key: an idempotency key.',
  }),
  id: z.string().meta({ description: 'Of an idempotency key, the key itself.' }),
  title: z.string().meta({
    description:
      'The type of an event or of what is delivered, the name of a product or an app, the status and route of a request, the URL of a subscription, the status of an import.',
  }),
  at: z.iso.datetime().meta({ description: 'When it was created, or when the request arrived.' }),
  installationId: z.uuid().nullable().meta({ description: 'The app that it belongs to, or that caused it.' }),
});

export const searchAnswer = z
  .object({
    items: z
      .array(found)
      .readonly()
      .meta({ description: `By kind, and the newest first: at most ${MAX_FOUND}.` }),
  })
  .meta({ id: 'SearchAnswer', examples: [{ items: [example] }] });

export const searchQuery = z.object({
  q: nameOf().meta({
    description:
      'An id of any of these. Or exactly: an idempotency key, the id of an order, the id that you gave an event, a slug, a SKU, a client id. Without white space at its ends.',
    examples: ['order-1001'],
  }),
});
