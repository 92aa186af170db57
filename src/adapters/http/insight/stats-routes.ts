import { FIRST_ATTEMPT_BOUNDS_MS, LATENCY_BOUNDS_MS } from '../../../domain/insight/figures.ts';
import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { stats, statsQuery } from './stats.ts';
import { figuresAnswer } from '../kit/figures.ts';

export const statsRoutes = [
  route
    .get('/admin/stores/:storeId/stats', 'getStats')
    .admin('Insight')
    .summary(
      'Get the statistics of a store',
      'Returns delivery outcomes and refused app requests by minute, hour or day in UTC. A range can have at most 2160 steps.',
    )
    .query(statsQuery)
    .returns(200, stats)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const found = await app.getStats(params.storeId, query);
      if (!found.ok) return found;
      const bounds = { latencyBoundsMs: [...LATENCY_BOUNDS_MS], firstAttemptBoundsMs: [...FIRST_ATTEMPT_BOUNDS_MS] };
      return ok({ ...figuresAnswer(found.value), ...bounds });
    }),
];
