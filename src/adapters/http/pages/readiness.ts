/** Needs of a node that serves requests: each check has a name, and throws or gives false when it fails. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<boolean>>>;

/** A check that is degraded fails, and the node serves requests without it. */
export type Readiness = () => Promise<Readonly<Record<string, 'ok' | 'degraded' | 'failing'>>>;

const PATIENCE_MS = 2_000;
/**
 * /readyz needs no credentials. However often it is requested, the checks run at most this often.
 */
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
    // The response names the check. The cause is in the log of the code that uses the resource.
    return 'failing';
  } finally {
    clearTimeout(timer);
  }
};

/** A check that does not end is not begun a second time: its callers would wait behind each other. */
const oneAtATime = (check: () => Promise<boolean>): (() => Promise<boolean>) => {
  let running: Promise<boolean> | undefined;
  return () =>
    (running ??= check().finally(() => {
      running = undefined;
    }));
};

/**
 * Runs the checks at most once a second. All callers share one result, also a failing one. Checks
 * that take longer than a second are shared until their end. `now` in milliseconds.
 */
export const createReadiness = (given: ReadinessChecks, now: () => number = () => performance.now()): Readiness => {
  const checks = Object.entries(given).map(([name, check]) => [name, oneAtATime(check)] as const);
  let latest: { readonly judgement: ReturnType<Readiness>; readonly begun: number; isOver: boolean } | undefined;
  const judge = async (): ReturnType<Readiness> =>
    Object.fromEntries(await Promise.all(checks.map(async ([name, check]) => [name, await outcome(check)] as const)));
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

/** Degrades a node that serves requests without the checked service. */
export const degradedBy =
  (name: string, readiness: Readiness): Readiness =>
  async () => {
    const checks = await readiness();
    return checks[name] === 'failing' ? { ...checks, [name]: 'degraded' } : checks;
  };
