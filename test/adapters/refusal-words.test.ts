import { describe, expect, it } from 'vitest';

import { KEYED_ROUTES, checkStepsOf } from '../../console/pages/requests/check-steps.ts';
import { appRoutes } from '../../src/adapters/http/routes.ts';
import { STATUS_OF } from '../../src/adapters/http/serving/reply/refusals.ts';
import { CHECKS } from '../../src/domain/insight/refused-request.ts';
import { NOTED_REASONS } from '../../src/domain/insight/refusals/noted-reasons.ts';
import { whyRefused } from '../../src/domain/insight/refusals/why-refused.ts';

const isKnown = (refusal: Parameters<typeof whyRefused>[0]): boolean =>
  !whyRefused(refusal).why.includes('answered with the code');
const nameOf = (route: (typeof appRoutes)[number]): string => `${route.method.toUpperCase()} ${route.path}`;

describe('the words of a refusal', () => {
  // The compiler names a reason or a code without its words; here are all of them at every check.
  it.each(CHECKS)('say why a request is refused at the check %s, for every reason and code', (check) => {
    for (const reason of [...Object.keys(NOTED_REASONS), ...Object.keys(STATUS_OF)]) {
      const { why, help } = whyRefused({ reason, code: 'unauthenticated', check });
      for (const text of [why, help]) expect(text).toMatch(/^[A-Z].*\.$/);
      expect(isKnown({ reason, code: null, check })).toBe(true);
    }
  });
});

describe('the steps of checks', () => {
  const states = (request: Parameters<typeof checkStepsOf>[0]): string[] =>
    checkStepsOf(request).map(({ check, state }) => `${check} ${state}`);

  it('knows which routes need an Idempotency-Key', () => {
    const keyed = appRoutes.filter(({ idempotent }) => idempotent).map(nameOf);
    expect([...KEYED_ROUTES].sort()).toEqual(keyed.sort());
  });

  it('passes the checks before the one that refused', () => {
    expect(states({ route: 'POST /apps/media/imports', check: 'key', reason: 'invalid' })).toEqual([
      'store passed',
      'token passed',
      'rate passed',
      'scope passed',
      'key refused',
      'body not reached',
      'claim not reached',
      'schema not reached',
      'work not reached',
    ]);
  });

  it('leaves out the checks that a route without a key and body does not need', () => {
    expect(states({ route: 'GET /apps/catalog/products', check: 'schema', reason: 'invalid' })).toEqual([
      'store passed',
      'token passed',
      'rate passed',
      'scope passed',
      'key not needed',
      'body not needed',
      'claim not needed',
      'schema refused',
      'work not reached',
    ]);
  });

  it('counts the address of a client before it reads who it is', () => {
    expect(states({ route: 'POST /apps/token', check: 'token', reason: 'wrong_secret' })).toEqual([
      'rate passed',
      'store passed',
      'body passed',
      'token refused',
    ]);
  });

  it('does not say that a token passed which was not looked up', () => {
    expect(states({ route: 'GET /apps/events', check: 'rate', reason: 'failed_tokens' }).slice(0, 3)).toEqual([
      'store passed',
      'token not reached',
      'rate refused',
    ]);
  });
});
