import { describe, expect, it } from 'vitest';

import { auditedOf, chainedText } from '../../../src/domain/insight/audit.ts';

const unchanged = (text: string): string => text;
const kept = (value: unknown) => auditedOf(value, unchanged);

describe('what the audit log keeps of a value', () => {
  it.each(['secret', 'clientSecret', 'accessToken', 'PASSWORD', 'Authorization', 'set-cookie', 'apiKey', 'api-key'])(
    'is not the text of a member called %s',
    (name) => {
      expect(kept({ [name]: 'hidden', name: 'Shop' })).toEqual({ [name]: '[cut]', name: 'Shop' });
    },
  );
  it('is not such a text at any depth', () => {
    expect(kept([{ app: { tokens: [{ token: 'hidden' }], name: 'App' } }])).toEqual([
      { app: { tokens: [{ token: '[cut]' }], name: 'App' } },
    ]);
  });
  it('is what such a member has besides text, because it holds no credential', () => {
    const value = { tokenSeconds: 60, hasSecret: true, cookie: null };
    expect(kept(value)).toEqual(value);
  });
  it.each([['text'], [1], [false]])('is the value itself where it is %j', (value) => {
    expect(kept(value)).toBe(value);
  });
  it.each([null, undefined])('is null for %s', (value) => {
    expect(kept(value)).toBeNull();
  });
  it('is without what the redaction finds in a text', () => {
    const redact = (text: string): string => text.replaceAll('tnn_at_1', '[token]');
    expect(auditedOf({ note: 'sent tnn_at_1' }, redact)).toEqual({ note: 'sent [token]' });
  });
  it('is only its size where it has more than 16,384 characters as JSON', () => {
    const ofSize = (size: number): string => 'x'.repeat(size - 2);
    expect(kept(ofSize(16_384))).toBe(ofSize(16_384));
    expect(kept(ofSize(16_385))).toEqual({ tooLarge: 16_385 });
  });
});

describe('the text that the hash of an entry covers', () => {
  const entry = { storeId: 's', number: 7, id: 'i', at: '2026-01-01T00:00:00.000Z', content: '{"status":200}' };
  it('has every field of the entry in a fixed order', () => {
    expect(chainedText({ ...entry, operatorId: 'o', answers: 'a' })).toBe('s|7|i|2026-01-01T00:00:00.000Z|o|a|{"status":200}');
  });
  it('is empty in the place of an operator and of an entry that there is not', () => {
    expect(chainedText({ ...entry, operatorId: null, answers: null })).toBe('s|7|i|2026-01-01T00:00:00.000Z|||{"status":200}');
  });
});
