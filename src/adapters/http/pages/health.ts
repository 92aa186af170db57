import { z } from 'zod';

import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import type { ErrorShape, PageShape } from '../route-declaration.ts';

const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health', examples: [{ status: 'ok' }] });

const outcome = z.enum(['ok', 'degraded', 'failing']);
const readiness = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    message: z.string().optional().meta({ description: 'Why this process is about to stop.' }),
    checks: z
      .record(z.string(), outcome)
      .meta({ description: 'The checks by name. A node with a `degraded` check still serves requests.' }),
  })
  .meta({ id: 'Readiness', examples: [{ status: 'ok', checks: { database: 'ok', accepting: 'ok' } }] });

export const healthRoutes = (errors: Exclude<ErrorShape, PageShape>) => [
  route
    .get('/healthz', 'checkHealth')
    .public('Operations')
    .errors(errors)
    .summary('Check that the process is alive', 'Returns 200 as long as the process can answer. Requires no credentials.')
    .returns(200, health)
    .handle(() => Promise.resolve(ok({ status: 'ok' as const }))),
  route
    .get('/readyz', 'checkReadiness')
    .public('Operations')
    .errors(errors)
    .summary(
      'Check that the node can serve requests',
      'Checks the dependencies of the node, at most once a second. Requires no credentials.',
    )
    .returns(200, readiness)
    .orReturns(503, 'At least one check fails. The body lists the checks.')
    .handle(async (_app, { context }) => {
      const checks = await context.resources.readiness();
      const message = context.resources.fault?.() ?? null;
      const isReady = message === null && Object.values(checks).every((result) => result !== 'failing');
      const said = message === null ? {} : { message };
      return isReady
        ? ok({ status: 'ok' as const, checks })
        : { ...ok({ status: 'unavailable' as const, ...said, checks }), status: 503 };
    }),
];
