import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { consoleCode } from './console-code.ts';
import {
  callingOperator,
  issuedOperatorToken,
  newOperator,
  newOperatorToken,
  operator,
  operatorChanges,
  operatorListQuery,
  operatorTokenList,
} from './operator.ts';
import { asListPage, listOfItems } from '../kit/page.ts';
import { OWNERS } from '../kit/owners.ts';

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
