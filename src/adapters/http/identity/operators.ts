import { z } from 'zod';

import { MAX_OPERATOR_STORES, ROLES, OPERATOR, OPERATOR_TOKEN } from '../../../domain/identity/operator.ts';
import { CREDENTIAL_PATTERNS } from '../../../domain/identity/token.ts';
import { ok } from '../../../domain/result.ts';
import { exampleOf, OPERATOR_TOKEN_EXAMPLE, EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { timeField, uuidField } from '../kit/fields.ts';
import { OWNERS } from '../store-rule.ts';
import { asListQuery, listPaging, asListPage, listOfItems } from '../kit/page.ts';
import { shownNameOf, textOf } from '../kit/text.ts';
import { route } from '../route.ts';
import { consoleCode } from './console-codes.ts';
import { resourceOf } from '../kit/records.ts';

const MAX_OPERATOR_NAME = 100;

const role = z.enum(ROLES).meta({
  description: 'A viewer reads. An operator also changes. An owner also manages operators and erases stores.',
});
const storeIds = z
  .array(uuidField)
  .max(MAX_OPERATOR_STORES)
  .transform((ids) => [...new Set(ids)])
  .nullable()
  .meta({ description: 'The only stores that the operator reaches. Null for all. An owner reaches all.' });
const email = textOf({ max: 320 })
  .check(z.email())
  .nullable()
  .meta({ description: 'By it, the operator of an account of the identity provider is found. Tenon sends nothing to it.' });
const operatorName = shownNameOf(MAX_OPERATOR_NAME);

const { name, email: address, role: itsRole, storeIds: itsStores } = exampleOf(OPERATOR);
const EXAMPLE = { name, email: address, role: itsRole, storeIds: itsStores };

const newOperator = z
  .object({ name: operatorName, email: email.default(null), role: role.default('viewer'), storeIds: storeIds.default(null) })
  .meta({ id: 'NewOperator', description: 'By default the role is viewer, for all stores.', examples: [EXAMPLE] });

const operatorChanges = z
  .object({ name: operatorName.optional(), email: email.optional(), role: role.optional(), storeIds: storeIds.optional() })
  .meta({ id: 'OperatorChanges', description: 'Omitted fields do not change.', examples: [{ role: 'viewer' }] });

export const operator = resourceOf(OPERATOR);

const operatorListQuery = z.object(listPaging).transform(asListQuery);

export const callingOperator = z
  .object({
    operatorId: z.guid().nullable().meta({ description: 'Null for the holder of ADMIN_TOKEN.' }),
    name: z.string(),
    role: z.enum(ROLES),
    storeIds: z.array(z.guid()).readonly().nullable().meta({ description: 'Null for all stores.' }),
    sessionId: z.guid().nullable().meta({ description: 'The console session of the request. Null for a token.' }),
  })
  .meta({
    id: 'CallingOperator',
    examples: [{ operatorId: exampleId(2), name: EXAMPLE.name, role: 'operator', storeIds: [exampleId(1)], sessionId: null }],
  });

const newOperatorToken = z
  .object({
    name: operatorName,
    expiresAt: timeField.nullable().default(null).meta({ description: 'By default, the token does not expire.' }),
  })
  .meta({ id: 'NewOperatorToken', examples: [{ name: 'deploy', expiresAt: EXAMPLE_TIME }] });

export const operatorToken = resourceOf(OPERATOR_TOKEN);
const TOKEN_EXAMPLE = exampleOf(OPERATOR_TOKEN);

const operatorTokenList = z
  .object({ items: z.array(operatorToken).readonly() })
  .meta({ id: 'OperatorTokenList', examples: [{ items: [TOKEN_EXAMPLE] }] });

export const issuedOperatorToken = z
  .object({ ...operatorToken.shape, token: z.string().meta({ pattern: CREDENTIAL_PATTERNS.operatorToken.source }) })
  .meta({
    id: 'IssuedOperatorToken',
    description: 'The token is shown only once.',
    examples: [{ ...TOKEN_EXAMPLE, token: OPERATOR_TOKEN_EXAMPLE }],
  });

const session = z
  .object({
    id: z.guid(),
    operator: z
      .object({ id: z.guid(), name: z.string() })
      .nullable()
      .meta({ description: 'Null for a session that ADMIN_TOKEN started.' }),
    address: z.string().nullable().meta({ description: 'Where it was started from.' }),
    agent: z.string().nullable().meta({ description: 'The User-Agent of the browser that started it.' }),
    startedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: 'Each use moves it, until 8 hours after the start.' }),
  })
  .meta({ id: 'ConsoleSession' });

export const sessionList = z.object({ items: z.array(session).readonly() }).meta({
  id: 'ConsoleSessionList',
  examples: [
    {
      items: [
        {
          id: exampleId(4),
          operator: { id: exampleId(2), name: EXAMPLE.name },
          address: '203.0.113.7',
          agent: 'Mozilla/5.0',
          startedAt: EXAMPLE_TIME,
          expiresAt: EXAMPLE_TIME,
        },
      ],
    },
  ],
});

const path = '/admin/operators/:operatorId';

export const operatorRoutes = [
  route
    .get('/admin/operator', 'getCaller')
    .admin('Operators', { stores: 'own' })
    .summary('Get the caller', 'Returns who the token or session of the request belongs to.')
    .returns(200, callingOperator)
    .handle((_app, { actor, context }) => Promise.resolve(ok({ ...actor, sessionId: context.sessionId }))),
  route
    .post('/admin/operators', 'createOperator')
    .admin('Operators', OWNERS)
    .summary(
      'Add an operator',
      'Returns 409 if another operator has the name, if a store does not exist, or if an owner is limited to stores.',
    )
    .body(newOperator)
    .returns(201, operator)
    .refuses('conflict')
    .handle((app, { body }) => app.createOperator(body)),
  route
    .get('/admin/operators', 'listOperators')
    .admin('Operators', OWNERS)
    .summary('List the operators', 'Oldest first, including those who have ended. The holder of ADMIN_TOKEN is not listed.')
    .query(operatorListQuery)
    .returns(200, listOfItems(operator, 'OperatorPage'))
    .refuses('invalid')
    .handle(async (app, { query: { page } }) => ok(asListPage((await app.listOperators(page)).value))),
  route
    .get(path, 'getOperator')
    .admin('Operators', OWNERS)
    .summary('Get an operator')
    .returns(200, operator)
    .refuses('not_found')
    .handle((app, { params }) => app.getOperator(params.operatorId)),
  route
    .patch(path, 'updateOperator')
    .admin('Operators', OWNERS)
    .summary(
      'Change an operator',
      'The new role and stores apply to the next request. Returns 409 if the operator has ended, and as when adding one.',
    )
    .body(operatorChanges)
    .audits((app, { operatorId }) => app.getOperator(operatorId))
    .returns(200, operator)
    .refuses('not_found', 'conflict')
    .handle(async (app, { params, body, context }) => {
      const updated = await app.updateOperator(params.operatorId, body);
      await context.resources.live.judge();
      return updated;
    }),
  route
    .delete(path, 'endOperator')
    .admin('Operators', OWNERS)
    .summary(
      'End an operator',
      'The tokens, sessions and links of the operator are refused from the next request. This cannot be undone.',
    )
    .returns(200, operator)
    .refuses('not_found')
    .handle(async (app, { params, context }) => {
      const ended = await app.endOperator(params.operatorId);
      await context.resources.live.judge();
      return ended;
    }),
  route
    .post(`${path}/links`, 'createOperatorLink')
    .admin('Operators', OWNERS)
    .summary(
      'Create a link for an operator',
      'Creates a link that signs the operator in to the console. It works once and for 10 minutes. Returns 409 if the operator has ended.',
    )
    .returns(201, consoleCode)
    .refuses('unauthenticated', 'not_found', 'conflict')
    .handle((app, { params }) => app.inviteOperator(params.operatorId)),
  route
    .post(`${path}/tokens`, 'createOperatorToken')
    .admin('Operators', OWNERS)
    .summary('Create a token for an operator', 'The token is shown once. Returns 409 if the operator has ended.')
    .body(newOperatorToken)
    .returns(201, issuedOperatorToken)
    .refuses('not_found', 'conflict')
    .handle((app, { params, body }) => app.issueOperatorToken(params.operatorId, body)),
  route
    .get(`${path}/tokens`, 'listOperatorTokens')
    .admin('Operators', OWNERS)
    .summary('List the tokens of an operator', 'Oldest first, including those that have expired.')
    .returns(200, operatorTokenList)
    .refuses('not_found')
    .handle(async (app, { params }) => {
      const tokens = await app.listOperatorTokens(params.operatorId);
      return tokens.ok ? ok({ items: tokens.value }) : tokens;
    }),
  route
    .delete(`${path}/tokens/:tokenId`, 'revokeOperatorToken')
    .admin('Operators', OWNERS)
    .summary('Revoke a token of an operator', 'The token is refused from the next request.')
    .returnsNothing()
    .refuses('not_found')
    .handle(async (app, { params, context }) => {
      const revoked = await app.revokeOperatorToken(params.operatorId, params.tokenId);
      await context.resources.live.judge();
      return revoked;
    }),
];

export const sessionRoutes = [
  route
    .get('/admin/sessions', 'listSessions')
    .admin('Operators', OWNERS)
    .summary('List the console sessions', 'Lists the sessions of all operators that have not ended, newest first.')
    .returns(200, sessionList)
    .handle(async (app) => ok({ items: (await app.listConsoleSessions()).value })),
  route
    .delete('/admin/sessions/:sessionId', 'endSession')
    .admin('Operators', OWNERS)
    .summary('End a console session', 'The session is refused from the next request.')
    .returnsNothing()
    .refuses('not_found')
    .handle(async (app, { params, context }) => {
      const ended = await app.endConsoleSession(params.sessionId);
      await context.resources.live.judge();
      return ended;
    }),
];
