import { describe, expect, it } from 'vitest';

import { INCIDENT_CAUSES } from '../../../src/domain/insight/incident-causes.ts';
import { INCIDENT_KINDS, INCIDENT_RULES, type IncidentKind } from '../../../src/domain/insight/incident-rules.ts';
import { aboutIncident, refusalsSubject } from '../../../src/domain/insight/incident-subject.ts';
import { judgeIncidents, type OpenIncident, type Sighting, type Signal } from '../../../src/domain/insight/incidents.ts';

const signal = (more: Partial<Signal> = {}): Signal => ({
  storeId: 'store',
  kind: 'refusals',
  subject: 'app rate limited',
  name: 'App',
  since: '2026-01-01T00:00:00.000Z',
  value: 50,
  before: 0,
  impact: 50,
  cause: 'Rate limit reached.',
  ...more,
});

const opened = (more: Partial<OpenIncident> = {}): OpenIncident => {
  const { storeId, kind, subject } = signal();
  return { id: 'i', storeId, kind, subject, impact: 50, unseenSeconds: 0, ...more };
};

const seen = (signals: readonly Signal[], kind: IncidentKind = 'refusals', isComplete = true): readonly Sighting[] => [
  { kind, signals, isComplete },
];

describe('a rule', () => {
  it.each<[IncidentKind, begins: number, not: number, continues: number, ends: number]>([
    ['receiver_failing', 10, 9, 1, 0],
    ['receiver_deactivated', 3_599, 3_600, 604_799, 604_800],
    ['refusals', 50, 49, 10, 9],
    ['deliveries_late', 300, 299, 60, 59],
    ['media_imports_failed', 5, 4, 1, 0],
  ])('of %s begins by one value, and ends by a weaker one', (kind, begins, not, continues, ends) => {
    const rule = INCIDENT_RULES[kind];
    const at = (value: number) => ({ value, before: 0 });
    expect([rule.begins(at(begins)), rule.begins(at(not))]).toEqual([true, false]);
    expect([rule.continues(at(continues)), rule.continues(at(ends))]).toEqual([true, false]);
  });
  it.each(['database_away', 'redis_away'] as const)('of %s begins after ten seconds, and continues while it is seen', (kind) => {
    const { begins, continues, isNodeObserved } = INCIDENT_RULES[kind];
    expect([begins({ value: 10, before: 0 }), begins({ value: 9, before: 0 })]).toEqual([true, false]);
    expect([continues({ value: 0, before: 0 }), isNodeObserved]).toEqual([true, true]);
  });
  it('of a key that is missing begins at once', () => {
    expect(INCIDENT_RULES.keys_unopened.begins({ value: 1, before: 0 })).toBe(true);
  });
  it('of an import that failed begins with the first one, and continues while the signal is there', () => {
    const { begins, continues } = INCIDENT_RULES.product_import_failed;
    const measured = { value: 1, before: 0 };
    expect([begins(measured), continues(measured)]).toEqual([true, true]);
  });
  it('of refusals compares with the hour before', () => {
    const { begins, continues } = INCIDENT_RULES.refusals;
    expect([begins({ value: 100, before: 20 }), begins({ value: 100, before: 20.1 })]).toEqual([true, false]);
    expect(continues({ value: 10, before: 1_000 })).toBe(true);
  });
  it('begins with nothing that it would end at once', () => {
    const values = [0, 1, 5, 9, 10, 49, 50, 60, 300, 3_599, 3_600, 700_000];
    for (const kind of INCIDENT_KINDS) {
      for (const value of values) {
        const { begins, continues } = INCIDENT_RULES[kind];
        expect([kind, value, begins({ value, before: 0 }) && !continues({ value, before: 0 })]).toEqual([kind, value, false]);
      }
    }
  });
});

describe('the judgement', () => {
  it('begins what is there and is not open', () => {
    const [first, small] = [signal(), signal({ subject: 'other', value: 49 })];
    expect(judgeIncidents([], seen([first, small]))).toEqual({ begin: [first], see: [], end: [] });
  });
  it('begins nothing that is open for the same subject, and begins the same of another store', () => {
    const other = signal({ storeId: 'other' });
    expect(judgeIncidents([opened()], seen([signal(), other])).begin).toEqual([other]);
  });
  it('keeps what continues, with the greatest impact', () => {
    expect(judgeIncidents([opened()], seen([signal({ value: 10, impact: 10 })]))).toEqual({ begin: [], see: [], end: [] });
    const { see } = judgeIncidents([opened()], seen([signal({ value: 80, impact: 80 })]));
    expect(see).toEqual([{ incident: opened(), impact: 80 }]);
  });
  it('ends what does not continue, and what is gone', () => {
    expect(judgeIncidents([opened()], seen([signal({ value: 9 })])).end).toEqual([opened()]);
    expect(judgeIncidents([opened()], seen([])).end).toEqual([opened()]);
  });
  it('ends nothing of a kind that was not looked for to the end', () => {
    expect(judgeIncidents([opened()], [])).toEqual({ begin: [], see: [], end: [] });
    expect(judgeIncidents([opened()], seen([], 'refusals', false)).end).toEqual([]);
    expect(judgeIncidents([opened()], seen([signal({ value: 9 })], 'refusals', false)).end).toEqual([opened()]);
  });
  it('ends what nodes alone can see when none has seen it for a minute', () => {
    const away = opened({ kind: 'redis_away', subject: '', unseenSeconds: 59 });
    expect(judgeIncidents([away], seen([], 'redis_away')).end).toEqual([]);
    const gone = { ...away, unseenSeconds: 60 };
    expect(judgeIncidents([gone], seen([], 'redis_away')).end).toEqual([gone]);
    const still = signal({ kind: 'redis_away', subject: '', impact: 1 });
    expect(judgeIncidents([gone], seen([still], 'redis_away'))).toEqual({
      begin: [],
      see: [{ incident: gone, impact: 50 }],
      end: [],
    });
  });
});

describe('the subject', () => {
  const NONE = { subscriptionId: null, installationId: null, check: null, reason: null };
  it.each<[IncidentKind, string, object]>([
    ['receiver_failing', 's', { subscriptionId: 's' }],
    ['receiver_deactivated', 's', { subscriptionId: 's' }],
    ['media_imports_failed', 'a', { installationId: 'a' }],
    ['refusals', 'a scope needs read_products', { installationId: 'a', check: 'scope', reason: 'needs read_products' }],
    ['refusals', '- token no_token', { check: 'token', reason: 'no_token' }],
    ['deliveries_late', '', {}],
    ['work_stopped', 'The sweep', {}],
    ['keys_unopened', 'k1', {}],
  ])('of %s names what it is about: %s', (kind, subject, about) => {
    expect(aboutIncident({ kind, subject })).toEqual({ ...NONE, ...about });
  });
  it('of refusals is one for each app, and one for all requests without a valid token', () => {
    expect(refusalsSubject('a', 'scope', 'needs read_products')).toBe('a scope needs read_products');
    expect(refusalsSubject(null, 'token', 'no_token')).toBe('- token no_token');
  });
});

it('a cause is a sentence', () => {
  const { receiver_failing, receiver_deactivated, refusals, media_imports_failed, keys_unopened, product_import_failed } =
    INCIDENT_CAUSES;
  const counted = { read: 340, failed: 12 };
  expect(product_import_failed({ fileName: 'a.csv', ...counted, ended: 'complete' })).toBe('a.csv: 12 of 340 products failed.');
  expect(product_import_failed({ fileName: null, ...counted, ended: 'broken_off' })).toBe(
    'A file: 12 of 340 products failed. The import broke off before the end of the file.',
  );
  expect(receiver_failing(12, null)).toBe('The last 12 attempts failed.');
  expect(receiver_failing(12, 'Error in the receiver (5xx)')).toBe(
    'The last 12 attempts failed. Last error: Error in the receiver (5xx).',
  );
  expect(receiver_deactivated('answered_410')).toBe('The receiver answered 410.');
  expect(receiver_deactivated('failed_for_120_hours')).toBe('No attempt succeeded for 120 hours.');
  expect(refusals({ check: 'scope', reason: 'needs read_products' })).toBe(
    'Needs read_products. The route needs the scope read_products, which the app did not have.',
  );
  expect([media_imports_failed('Too large.'), media_imports_failed(null)]).toEqual(['Too large.', 'An import failed.']);
  expect(INCIDENT_CAUSES.deliveries_late()).toMatch(/\.$/);
  expect(INCIDENT_CAUSES.work_stopped(null)).toMatch(/^No worker runs: .*\.$/);
  expect(INCIDENT_CAUSES.work_stopped('The sweep')).toMatch(/^The sweep does not succeed\. .*\.$/);
  expect(INCIDENT_CAUSES.database_away()).toMatch(/database\.$/);
  expect(INCIDENT_CAUSES.redis_away()).toMatch(/Redis\.$/);
  expect(keys_unopened('k1')).toContain('key k1.');
});
