import { Router } from 'express';

import { otherMethods } from '../serving/methods.ts';
import type { ErrorShape } from '../route.ts';

/** What a node needs to take requests: a name, and a check that throws or gives false when it fails. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<boolean>>>;

export type Readiness = () => Promise<Readonly<Record<string, 'ok' | 'failing'>>>;

const PATIENCE_MS = 2_000;
/** /readyz needs no credentials: however often it is requested, the database gets its questions this often. */
const JUDGE_EVERY_MS = 1_000;

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
    // The body names the check; its cause is in the log of whoever uses the resource.
    return 'failing';
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Judges the checks at most once a second, however many callers ask at once: all of them share one judgement, also a failing one. A
 * judgement that takes longer than a second is shared until its end. `now` in milliseconds.
 */
export const createReadiness = (checks: ReadinessChecks, now: () => number = () => performance.now()): Readiness => {
  let latest: { readonly judgement: ReturnType<Readiness>; readonly begun: number; isOver: boolean } | undefined;
  const judge = async (): ReturnType<Readiness> =>
    Object.fromEntries(
      await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await outcome(check)] as const)),
    );
  return () => {
    if (latest && (!latest.isOver || now() - latest.begun < JUDGE_EVERY_MS)) return latest.judgement;
    const current = { judgement: judge(), begun: now(), isOver: false };
    latest = current;
    void current.judgement.finally(() => {
      current.isOver = true;
    });
    return current.judgement;
  };
};

/** GET /healthz: the process is alive. GET /readyz: every check passes, else 503 naming those that fail. */
export const health = (readiness: Readiness, errors: ErrorShape): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  const others = otherMethods(['GET'], errors);
  router
    .route('/healthz')
    .get((_req, res) => {
      res.json({ status: 'ok' });
    })
    .all(others);
  router
    .route('/readyz')
    .get(async (_req, res) => {
      const checks = await readiness();
      const ready = Object.values(checks).every((result) => result === 'ok');
      res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable', checks });
    })
    .all(others);
  return router;
};
