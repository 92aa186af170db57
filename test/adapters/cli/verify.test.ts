import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { INVARIANT_NAMES, INVARIANTS, type InvariantName } from '../../../src/domain/insight/invariants.ts';
import { runCommand } from '../../support/command-line.ts';
import { respond, startReceiver, type Receiver } from '../../support/receiver.ts';

let server: Receiver;
beforeAll(async () => {
  server = await startReceiver();
});
afterAll(() => server.close());

type Counts = { readonly violated: number; readonly examples?: readonly string[] } | null;

/** Answers each check with what `countsOf` says of it, and a check that is asked for alone with what it says then. */
const serve = (countsOf: (name: InvariantName, isAlone: boolean) => Counts): void => {
  server.answer((response, delivery) => {
    const only = new URL(delivery.path, server.url).searchParams.get('invariant');
    const invariants = INVARIANT_NAMES.filter((name) => only === null || name === only).map((name) => {
      const counts = countsOf(name, only !== null);
      return {
        ...{ name, statement: INVARIANTS[name], isSample: false, checkedAt: '2026-11-29T00:00:00.000Z' },
        ...{
          isComplete: counts !== null,
          counted: counts && 3,
          violated: counts?.violated ?? null,
          examples: counts?.examples ?? [],
        },
      };
    });
    const ok = invariants.every(({ violated }) => violated === 0);
    respond(200, JSON.stringify({ checkedAt: '2026-11-29T00:00:00.000Z', durationMs: 1, ok, invariants }))(response, delivery);
  });
};
const verify = () => runCommand(['verify'], { env: { TENON_ADMIN_TOKEN: 'token', TENON_ADMIN_URL: server.url } });
const FINE = { violated: 0 };

describe('tenon verify', () => {
  it('finishes a check that did not end in the time of a quick look', async () => {
    serve((name, isAlone) => (name === 'queue_pending' && !isAlone ? null : FINE));
    const { status, out, err } = await verify();
    expect({ status, rows: out.trimEnd().split('\n').length, unfinished: out.includes('not finished') }).toEqual({
      status: 0,
      rows: INVARIANT_NAMES.length,
      unfinished: false,
    });
    expect(err).toBe('queue_pending: not finished in time. Checking it again, with more time.\n');
  });

  it('says of a check that ends neither time that it is not finished, and not that it is violated', async () => {
    serve((name) => (name === 'queue_pending' ? null : FINE));
    const { status, out, err } = await verify();
    expect([status, out.includes('queue_pending\tnot finished')]).toEqual([1, true]);
    expect(err).toMatch(/tenon: Some checks are not finished: run it again\.\n {2}queue_pending\n$/);
    expect(err).not.toContain('violated');
  });

  it('says both apart', async () => {
    serve((name) => (name === 'queue_pending' ? null : name === 'events_placed' ? { violated: 1, examples: ['an-id'] } : FINE));
    const { status, err } = await verify();
    expect(status).toBe(1);
    expect(err).toMatch(
      /Some invariants are violated\.\n {2}events_placed: an-id\n.*Some checks are not finished: run it again\.\n {2}queue_pending\n$/,
    );
  });
});
