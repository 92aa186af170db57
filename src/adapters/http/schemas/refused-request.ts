import { z } from 'zod';

import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { pageOf } from '../../../domain/page.ts';
import { EXAMPLE_TIME, exampleId } from './example-record.ts';
import { millisecondsOf, time, uuidField } from './fields.ts';
import { paging, singleText } from './page.ts';
import { textOf } from './text.ts';
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
    route: z.string().meta({ description: 'The method and the route, as in the OpenAPI document.' }),
    status: z.int(),
    code: z.string().nullable().meta({ description: 'Null if the response is the replay of an earlier refusal.' }),
    reason: z
      .string()
      .meta({ description: 'The reason, which the caller does not always see. The code if nothing more is known.' }),
    check: z.enum(CHECKS).meta({ description: 'The check that failed. The values are in the order of the checks.' }),
    storeId: z.uuid().nullable().meta({ description: 'Null if the host matches no store.' }),
    host: z.string().nullable().meta({ description: 'The requested host, if it matches no store.' }),
    installationId: z.uuid().nullable().meta({ description: 'Null if the request had no valid token.' }),
    durationMs: z.number(),
    leftOut: z.int().meta({ description: 'The number of similar requests in the same second that the log omits.' }),
  })
  .meta({ id: 'RefusedRequest', examples: [example] });

export const refusedRequestPage = placedItems(refusedRequest, 'RefusedRequestPage');

const ROUTE = /^[\x20-\x7e]{1,200}$/;
const STATUS = /^[45]\d\d$/;

export const refusedRequestQuery = z
  .object({
    after,
    take: paging.take,
    installationId: uuidField.optional().meta({ description: 'Only requests of this app.' }),
    status: z.string().regex(STATUS, 'must be a status from 400 to 599').transform(Number).optional().meta({
      description: 'Only requests answered with this status.',
    }),
    check: z.enum(CHECKS).optional().meta({ description: 'Only requests that this check refused.' }),
    reason: textOf({ min: 1, max: 255 }).optional().meta({ description: 'Only requests refused for this reason.' }),
    route: z
      .string()
      .regex(ROUTE, 'must be a path, or a method and a path')
      .optional()
      .meta({ description: 'Only requests to this route, given as a path or as a method and a path.' }),
    since: time.optional().meta({ description: 'Only requests received at or after this time.' }),
  })
  .transform(({ after: place, take, since, ...filter }) => ({
    from: { after: place ?? null, take: pageOf({ take: singleText(take) }).take },
    filter: { ...filter, since: millisecondsOf(since) },
  }));
