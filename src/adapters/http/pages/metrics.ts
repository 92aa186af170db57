import { z } from 'zod';

import { ok } from '../../../domain/result.ts';
import { Raw } from '../answer.ts';
import { route } from '../route.ts';

export const metricsRoute = route
  .get('/metrics', 'getMetrics')
  .public('Operations')
  .errors('problem')
  .summary(
    'Get the metrics',
    'Returns the counters and gauges of this node in the Prometheus text format. Requires no credentials.',
  )
  .returns(200, z.string(), 'text/plain')
  .example({ response: 'tenon_http_requests_total{method="GET",route="GET /apps/catalog/products",status="200"} 42\n' })
  .handle(async (_app, { context: { resources } }) => ok(new Raw(await resources.metrics.text(), resources.metrics.contentType)));
