import { Router } from 'express';

import { otherMethods } from '../serving/methods.ts';

/** GET /metrics in Prometheus's text format. */
export const metricsRouter = (metrics: { readonly contentType: string; text(): Promise<string> }): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/metrics')
    .get(async (_req, res) => {
      const text = await metrics.text();
      res.setHeader('Content-Type', metrics.contentType).end(text);
    })
    .all(otherMethods(['GET'], 'problem'));
  return router;
};
