import { z } from 'zod';

import { REFUSED_REASONS } from '../../../domain/insight/audit-refusal.ts';
import { WAYS } from '../../../domain/insight/audit.ts';
import { ok } from '../../../domain/result.ts';
import { fromOf, cursorPaging, cursorPage, asCursorPage } from '../kit/page.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { timeField, uuidField } from '../kit/fields.ts';
import { OWNERS } from '../store-rule.ts';
import { EXPORT_ENDS, INCOMPLETE, NDJSON, ndjson } from '../ndjson.ts';
import { route } from '../route.ts';

const AUDIT_EXAMPLE = {
  id: exampleId(80),
  storeId: exampleId(1),
  number: 7,
  at: EXAMPLE_TIME,
  operatorId: exampleId(2),
  operator: 'Ada Lovelace',
  way: 'console' as const,
  address: '203.0.113.7',
  what: 'Change a store',
  route: 'PATCH /admin/stores/:storeId',
  path: `/admin/stores/${exampleId(1)}`,
  requestId: exampleId(81),
  body: { name: 'Shop' },
  before: { name: 'Store' },
  refusal: null,
  outcome: { at: EXAMPLE_TIME, status: 200, code: null, created: null, after: { name: 'Shop' } },
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

const outcome = z.object({
  at: z.iso.datetime(),
  status: z.int(),
  code: z.string().nullable(),
  created: z.string().nullable().meta({ description: 'The id of what was created.' }),
  after: z.unknown().meta({ description: 'The resource afterwards. Null for routes that do not read it.' }),
});

const refusal = z.object({
  reason: z.enum(REFUSED_REASONS),
  count: z.int().meta({
    description: 'Greater than 1 where most refusals of its kind have no entry of their own: how many the hour had so far.',
  }),
});

const audited = z
  .object({
    id: z.guid(),
    storeId: z.guid().nullable().meta({ description: 'Null for a change that belongs to no store.' }),
    number: z.int().meta({ description: 'Counts the entries of the store, also the outcomes.' }),
    at: z.iso.datetime(),
    operatorId: z
      .guid()
      .nullable()
      .meta({ description: 'Null for the holder of ADMIN_TOKEN, for the developer of an app, and for wrong credentials.' }),
    operator: z.string().meta({ description: '`Unknown` for wrong credentials.' }),
    way: z.enum(WAYS),
    address: z.string(),
    what: z.string().meta({ description: 'What was asked for, in words.' }),
    route: z.string().meta({ description: 'The method and the route, as in the OpenAPI document.' }),
    path: z.string(),
    requestId: z.string().meta({ description: 'The X-Request-Id of the response.' }),
    body: z.unknown().meta({ description: 'The body of the request, without credentials.' }),
    before: z.unknown().meta({ description: 'The resource before. Null for routes that do not read it.' }),
    refusal: refusal.nullable().meta({
      description:
        'Why nothing was done: the operator had no right to it, or the credentials were wrong. Null for anything else.',
    }),
    outcome: outcome
      .nullable()
      .meta({ description: 'Null while the request runs, and if the server was stopped before it was recorded.' }),
    hash: z.string().meta({ description: 'SHA-256 of the previous hash of the store and of this entry.' }),
  })
  .meta({ id: 'AuditedChange', examples: [AUDIT_EXAMPLE] });

export const auditPage = cursorPage(audited, 'AuditPage');

const filters = {
  store: uuidField.optional().meta({ description: 'Only changes of this store.' }),
  operator: uuidField.optional().meta({ description: 'Only changes of this operator.' }),
  since: timeField.optional().meta({ description: 'Only changes at or after this time.' }),
  refused: z.enum(['0', '1']).optional().meta({ description: '`1`: only refused changes and sign-ins.' }),
};

interface Filters {
  readonly store?: string | undefined;
  readonly operator?: string | undefined;
  readonly since?: string | undefined;
  readonly refused?: '0' | '1' | undefined;
}

const filterOf = ({ store, operator, since, refused }: Filters) => ({
  isRefused: refused === '1',
  storeId: store,
  operatorId: operator,
  since,
});

const auditQuery = z
  .object({ ...cursorPaging, ...filters })
  .transform(({ after, take, ...given }) => ({ filter: filterOf(given), from: fromOf({ after, take }) }));

const auditExportQuery = z.object(filters).transform(filterOf);

export const auditRoutes = [
  route
    .get('/admin/audit', 'listChanges')
    .admin('Operators', OWNERS)
    .summary(
      'List the changes',
      'Lists what operators asked to change, newest first, with its outcome, and refused changes and sign-ins. The entries are kept for two years. `GET /admin/verify` checks their chain of hashes.',
    )
    .query(auditQuery)
    .returns(200, auditPage)
    .refuses('invalid')
    .handle(async (app, { query }) => ok(asCursorPage(await app.listAudit(query.filter, query.from)))),
  route
    .get('/admin/audit/export', 'exportChanges')
    .admin('Operators', OWNERS)
    .summary('Export the changes', `Streams every change that matches, one per line, newest first. ${EXPORT_ENDS}`)
    .query(auditExportQuery)
    .returns(200, z.string(), NDJSON)
    .example({ response: `${JSON.stringify(AUDIT_EXAMPLE)}\n` })
    .refuses('invalid')
    .handle((app, { query, context: { renewal } }) =>
      Promise.resolve(ok(ndjson(app.exportAudit(query), { renewal, lastLine: INCOMPLETE }))),
    ),
];
