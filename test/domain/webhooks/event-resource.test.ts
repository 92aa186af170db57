import { describe, expect, it } from 'vitest';

import { refuse } from '../../../src/domain/result.ts';
import { frozenBodies, type NewEvent } from '../../../src/domain/webhooks/event.ts';
import { eventResource } from '../../../src/domain/webhooks/event-resource.ts';

const BAD = refuse('invalid', 'data.id must be a text of at most 255 characters, or a whole number that JSON keeps exactly.');

describe("the resource of a merchant's event", () => {
  it.each([
    ['1001', '1001'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [450789469, '450789469'],
    [0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['', null],
    [null, null],
    [undefined, null],
  ])('%o is %o', (id, resource) => {
    expect(eventResource({ id })).toEqual({ ok: true, value: resource });
  });
  it.each([['x'.repeat(256)], [1.5], [2 ** 53], [1e30], [true], [{}], [['a']]])('%o is refused', (id) => {
    expect(eventResource({ id })).toEqual(BAD);
  });
  it.each([
    [{ id: 450789469 }, { id: 450789469 }],
    [{ id: 'A-1' }, { id: 'A-1' }],
    [{}, {}],
    [{ id: null }, {}],
  ])('a body that is cut keeps the id as it was sent: %o', (data, cut) => {
    const resource = eventResource(data);
    const event: NewEvent = {
      ...{ storeId: 's', type: 'order.paid', origin: null, resourceId: resource.ok ? resource.value : null },
      data: { ...data, note: 'x'.repeat(300_000) },
    };
    const { body, wholeBody } = frozenBodies(event, 'e', '2026-01-01T00:00:00.000Z');
    expect((JSON.parse(body) as { data: object }).data).toEqual(cut);
    expect(wholeBody).toContain('xxx');
  });
});
