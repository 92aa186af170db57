import { z } from 'zod';

import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { pageOf } from '../../../domain/page.ts';
import { uuid } from '../route.ts';
import { EXAMPLE_TIME, exampleId } from './example-record.ts';
import { time } from './fields.ts';
import { paging, textOf } from './page.ts';
import { after, placedItems } from './place.ts';

const example = {
  id: exampleId(70),
  at: EXAMPLE_TIME,
  route: 'POST /apps/catalog/products/bulk',
  status: 403,
  code: 'forbidden',
  reason: 'needs write_products',
  check: 'scope',
  storeId: exampleId(99),
  host: null,
  installationId: exampleId(1),
  durationMs: 1.94,
  leftOut: 0,
};

export const refusedRequest = z
  .object({
    id: z.uuid().meta({ description: 'The X-Request-Id of the response.' }),
    at: z.iso.datetime(),
    route: z.string().meta({ description: 'The route as this document declares it, with its method.' }),
    status: z.int(),
    code: z.string().nullable().meta({ description: 'Null when the response was the replay of an earlier refusal.' }),
    reason: z
      .string()
      .meta({ description: 'Why, which the caller does not always learn. The code where nothing more is known.' }),
    check: z.enum(CHECKS).meta({ description: 'The check that failed, in the order in which they are made.' }),
    storeId: z.uuid().nullable().meta({ description: 'Null when no store has the host.' }),
    host: z.string().nullable().meta({ description: 'The host that was asked for, when no store has it.' }),
    installationId: z.uuid().nullable().meta({ description: 'Null when no valid token came with the request.' }),
    durationMs: z.number(),
    leftOut: z.int().meta({ description: 'How many like requests of the same second the log leaves out.' }),
  })
  .meta({ id: 'RefusedRequest', examples: [example] });

export const refusedRequestPage = placedItems(refusedRequest, 'RefusedRequestPage');

const ROUTE = /^[\x20-\x7e]{1,200}$/;
const STATUS = /^[45]\d\d$/;

export const refusedRequestQuery = z
  .object({
    after,
    take: paging.take,
    installationId: uuid.optional().meta({ description: 'Of this app alone.' }),
    status: z.string().regex(STATUS, 'must be a status from 400 to 599').transform(Number).optional().meta({
      description: 'Answered with this status.',
    }),
    route: z
      .string()
      .regex(ROUTE, 'must be a path, or a method and a path')
      .optional()
      .meta({ description: 'Of this route alone: its path, or its method and path.' }),
    since: time.optional().meta({ description: 'Arrived then or later.' }),
  })
  .transform(({ after: place, take, since, ...filter }) => ({
    from: { after: place ?? null, take: pageOf({ take: textOf(take) }).take },
    filter: { ...filter, since: since === undefined ? undefined : Date.parse(since) },
  }));

export const refusedRequestParams = z.object({ requestId: uuid });
