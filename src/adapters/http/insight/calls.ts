import { z } from 'zod';

import { ok } from '../../../domain/result.ts';
import { EXAMPLE_TIME } from '../kit/example-record.ts';
import { rangeFields, stepFields, timesOf, figureRangeQuery, figuresAnswer } from '../kit/figures.ts';
import { route } from '../route.ts';

const times = timesOf('calls');

const TIMES = { p50: { ms: 3, isOver: false }, p95: { ms: 18, isOver: false } };

export const callFigures = z
  .object({
    ...rangeFields,
    ...times,
    steps: z
      .array(
        z.object({
          at: stepFields.at,
          answers: stepFields.attempts.meta({
            description: 'Answers by the class of their status. `none`: the app left before the answer ended.',
          }),
          ...times,
        }),
      )
      .readonly()
      .meta({ description: 'Oldest first. Steps without a call are omitted.' }),
  })
  .meta({
    id: 'CallFigures',
    examples: [
      {
        from: '2026-11-21T09:00:00.000Z',
        to: '2026-11-22T09:00:00.000Z',
        step: 'hour',
        ...TIMES,
        steps: [{ at: EXAMPLE_TIME, answers: { '2xx': 1_204, '3xx': 310, '4xx': 6, '5xx': 0, none: 0 }, ...TIMES }],
      },
    ],
  });

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
