import { ok } from '../../../domain/result.ts';
import { figureRangeQuery, figuresAnswer } from '../kit/figures.ts';
import { route } from '../route.ts';
import { callFigures } from './call-figures.ts';

export const callRoutes = [
  route
    .get('/admin/apps/:installationId/calls', 'getAppCalls')
    .admin('Insight')
    .summary(
      "Get the figures of an app's calls",
      'Returns the calls over time, by the class of their answers, with p50 and p95 of their duration. A wait for the feed, an import and an export take as long as the app asks: they are counted without their duration. A node writes what it counted every 10 seconds.',
    )
    .query(figureRangeQuery)
    .returns(200, callFigures)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const found = await app.getCallFigures(params.installationId, query);
      return found.ok ? ok(figuresAnswer(found.value)) : found;
    }),
];

export const ownCallRoutes = [
  route
    .get('/apps/calls', 'getOwnCalls')
    .anyScope()
    .query(figureRangeQuery)
    .returns(200, callFigures)
    .refuses('invalid')
    .handle(async (app, { caller, query }) => {
      const found = await app.getOwnCallFigures(caller, query);
      return found.ok ? ok(figuresAnswer(found.value)) : found;
    }),
];
