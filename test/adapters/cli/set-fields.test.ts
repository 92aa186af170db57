import { describe, expect, it } from 'vitest';

import { withFields } from '../../../src/adapters/cli/commands/events/trigger.ts';

const DATA = { id: 'o-1', total: 10, customer: { name: 'Ada' }, items: [{ sku: 'A' }] };

describe('--set path=value', () => {
  it.each<[string, string, object]>([
    ['text', 'id=o-2', { ...DATA, id: 'o-2' }],
    ['a number', 'total=12.5', { ...DATA, total: 12.5 }],
    ['null', 'total=null', { ...DATA, total: null }],
    ['JSON', 'tags=["a"]', { ...DATA, tags: ['a'] }],
    ['text with equals signs', 'note=a=b', { ...DATA, note: 'a=b' }],
    ['empty text', 'note=', { ...DATA, note: '' }],
    ['a field in an object', 'customer.name=Bob', { ...DATA, customer: { name: 'Bob' } }],
    ['a path that is not there', 'a.b.c=1', { ...DATA, a: { b: { c: 1 } } }],
    ['an item of a list', 'items.0.sku=B', { ...DATA, items: [{ sku: 'B' }] }],
    ['the next item of a list', 'items.1.sku=B', { ...DATA, items: [{ sku: 'A' }, { sku: 'B' }] }],
    ['a path through a value', 'total.cents=5', { ...DATA, total: { cents: 5 } }],
  ])('sets %s', (_name, setting, data) => {
    expect(withFields(DATA, [setting])).toEqual(data);
  });

  it('keeps the order of the fields, and the sample as it is', () => {
    const changed = withFields(DATA, ['total=1', 'id=x']);
    expect(JSON.stringify(changed)).toBe('{"id":"x","total":1,"customer":{"name":"Ada"},"items":[{"sku":"A"}]}');
    expect(DATA.total).toBe(10);
  });

  it('__proto__ is a field as any other', () => {
    const changed = withFields({}, ['__proto__.admin=true']);
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"admin":true}}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each(['total', '=1', 'a..b=1', '.a=1'])('%s is a mistake', (setting) => {
    expect(() => withFields(DATA, [setting])).toThrow('expected path=value');
  });
});
