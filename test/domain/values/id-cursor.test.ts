import { expect, it } from 'vitest';

import { idCursorOf, parseIdCursor } from '../../../src/domain/values/id-cursor.ts';

const ID = '019a8f3e-6c1b-7d42-9a55-2f0c7e1b4d90';

it('a cursor leads back to its id, and is not an id', () => {
  expect(parseIdCursor(idCursorOf(ID))).toBe(ID);
  expect(idCursorOf(ID)).toBe('2f0c7e1b4d909a557d426c1b019a8f3e');
});

it.each(['', ID, '2f0c7e1b4d909a557d426c1b019a8f3', '2f0c7e1b4d909a557d426c1b019a8f3ea', 'xf0c7e1b4d909a557d426c1b019a8f3e'])(
  'no cursor: %j',
  (text) => {
    expect(parseIdCursor(text)).toBeNull();
  },
);
