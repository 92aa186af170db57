import { describe, expect, it } from 'vitest';

import { missingScope, whyRefused } from '../../../src/domain/insight/refusals/why-refused.ts';

const refusal = { check: 'token', reason: 'unknown_client', code: 'unauthenticated' };
const nameOf = (more: Partial<Parameters<typeof whyRefused>[0]>): string => whyRefused({ ...refusal, ...more }).name;

describe('why a request was refused', () => {
  it.each([
    ['its reason at its check', { check: 'work', reason: 'invalid', code: 'conflict' }, 'Refused by a rule'],
    ['its reason', { check: 'work', reason: 'expired', code: 'invalid' }, 'Token has expired'],
    ['its code at its check', { check: 'schema', reason: 'sideways', code: 'not_found' }, 'No such id'],
    ['its code', { check: 'work', reason: 'sideways', code: 'not_found' }, 'Not found'],
    ['its reason alone, without a code', { check: 'claim', reason: 'replay', code: null }, 'Earlier refusal again'],
  ])('is said by what is known of %s', (_what, refused, name) => {
    expect(nameOf(refused)).toBe(name);
  });
  it('differs by the check where the code is the same', () => {
    const names = ['store', 'key', 'body', 'schema', 'work'].map((check) =>
      nameOf({ check, reason: 'invalid', code: 'invalid' }),
    );
    expect(new Set(names).size).toBe(5);
  });
  it('is the code, or else the reason, where nothing is known', () => {
    const unknown = { check: 'work', reason: 'sideways', code: 'teapot' };
    expect(whyRefused(unknown)).toMatchObject({ name: 'teapot', why: 'The server answered with the code teapot.' });
    expect(nameOf({ ...unknown, code: null })).toBe('sideways');
  });
  it('is the missing scope, and only where a scope was missing', () => {
    const lacking = { check: 'scope', reason: 'needs write_products', code: 'forbidden' };
    expect([missingScope(lacking), missingScope(refusal)]).toEqual(['write_products', null]);
    expect(whyRefused(lacking)).toMatchObject({
      name: 'Needs write_products',
      why: 'The route needs the scope write_products, which the app did not have.',
    });
  });
  it('is the host that no store has, where it was asked for credentials', () => {
    expect(whyRefused({ ...refusal, host: 'nope.localhost' })).toMatchObject({
      name: 'No such store',
      why: 'No store has the domain nope.localhost, so no credentials are valid there.',
    });
    expect([nameOf({ host: null }), nameOf({})]).toEqual(['Unknown client id', 'Unknown client id']);
    expect(nameOf({ host: 'nope.localhost', check: 'rate', reason: 'rate_limited' })).toBe('Rate limit reached');
  });
  it.each([
    ['a scope is missing', { reason: 'needs write_products' }],
    ['no store has the host', { host: 'nope.localhost' }],
    ['nothing is known', { reason: 'sideways', code: 'teapot' }],
  ])('is said with what helps, in sentences, where %s', (_where, more) => {
    const { why, help } = whyRefused({ ...refusal, ...more });
    for (const text of [why, help]) expect(text).toMatch(/^[A-Z].*\.$/);
  });
});
