import { expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

it('only queue-row.ts inserts deliveries and rows of their queue', () => {
  const inserting = sourceFiles('src').filter((file) => /INSERT INTO (deliveries|delivery_queue)\b/.test(textOf(file)));
  expect(inserting).toEqual(['src/adapters/prisma/webhooks/queue/queue-row.ts']);
});
