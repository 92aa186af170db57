import { z } from 'zod';

import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import type { ErrorShape } from '../route-declaration.ts';

const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health', examples: [{ status: 'ok' }] });

const outcome = z.enum(['ok', 'failing']);
const readiness = z
  .object({ status: z.enum(['ok', 'unavailable']), checks: z.record(z.string(), outcome).meta({ description: 'By name.' }) })
  .meta({ id: 'Readiness', examples: [{ status: 'ok', checks: { database: 'ok', accepting: 'ok' } }] });

/** What an operator's probes request, on each listener with its own errors. */
export const healthRoutes = (errors: ErrorShape) => [
  route
    .get('/healthz')
    .public()
    .errors(errors)
    .tag('Operations')
    .summary('Check that the process is alive', 'Answers as long as the process can answer at all. Needs no credentials.')
    .returns(200, health)
    .handle(() => Promise.resolve(ok({ status: 'ok' as const }))),
  route
    .get('/readyz')
    .public()
    .errors(errors)
    .tag('Operations')
    .summary('Check that the node can serve requests', 'Checks what the node needs, at most once a second. Needs no credentials.')
    .returns(200, readiness)
    .orReturns(503, 'At least one check fails. The body names it.')
    .handle(async (_app, { context }) => {
      const checks = await context.resources.readiness();
      const isReady = Object.values(checks).every((result) => result === 'ok');
      return isReady ? ok({ status: 'ok' as const, checks }) : { ...ok({ status: 'unavailable' as const, checks }), status: 503 };
    }),
];
