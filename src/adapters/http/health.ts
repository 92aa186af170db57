import { Router } from 'express';

/** What must be well for a node to take requests: a name and a check that throws, or gives false, when it isn't. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<boolean>>>;

const PATIENCE_MS = 2_000;

const outcome = async (check: () => Promise<boolean>): Promise<'ok' | 'failing'> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
    }, PATIENCE_MS);
  });
  try {
    return (await Promise.race([check(), tooLate])) ? 'ok' : 'failing';
  } catch {
    // The body tells which check it was; its cause is in the log of whoever uses the thing.
    return 'failing';
  } finally {
    clearTimeout(timer);
  }
};

/** GET /healthz: the process is alive. GET /readyz: every check passes, else 503 naming those that fail. */
export const health = (checks: ReadinessChecks): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const results = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await outcome(check)] as const));
    const ready = results.every(([, result]) => result === 'ok');
    res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable', checks: Object.fromEntries(results) });
  });
  return router;
};
