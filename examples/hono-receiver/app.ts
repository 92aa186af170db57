import { Hono } from 'hono';
import { receiver } from 'tenon-client/webhooks';

/** A receiver of webhooks. `log` gets one line for each event. */
export const createApp = (secrets: readonly (string | undefined)[], log: (line: string) => void): Hono => {
  const hooks = receiver({ secrets })
    .on('product.updated', ({ data }) => log(`product.updated ${data.id}: ${data.changedFields?.join(', ') ?? 'read it'}`))
    .on('product.deleted', ({ data }) => log(`product.deleted ${data.id}`))
    .otherwise(({ type }) => log(type));
  const app = new Hono();
  app.post('/webhooks', (context) => hooks.fetch(context.req.raw));
  return app;
};
