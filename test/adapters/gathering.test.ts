import { expect, it, vi } from 'vitest';

import { sqlOver } from '../../src/adapters/prisma/connection/sql.ts';
import { gather, MEETINGS, NEXT_EVENTS } from '../../src/adapters/prisma/webhooks/fan-out/gathering.ts';
import { countingTurns } from '../support/turns.ts';

it('others have their turn between two events that are gathered: each takes time to parse', async () => {
  const ids = Array.from({ length: 50 }, (_, at) => String(at));
  const subscriptionId = 's';
  const events = ids.map((id) => {
    const data = { id: 'r', changedFields: ['name'], previous: { name: 'a' }, current: { name: id } };
    return { id, type: 'product.updated', resourceId: 'r', position: id, body: JSON.stringify({ id, data }) };
  });
  const meetings = ids.map((eventId) => ({ eventId, subscriptionId, installationId: null, isOrdered: false, before: null }));
  // Answers at once, so that no request takes a turn for it.
  const answering = sqlOver(async ({ name }) => {
    await Promise.resolve();
    const rows = name === NEXT_EVENTS.name ? events : name === MEETINGS.name ? meetings : [];
    return { rows, rowCount: rows.length };
  });
  const sql = { ...answering, enqueue: () => undefined, enqueueUndo: () => undefined, enqueueRows: () => () => [] };
  const pairs = ids.map((eventId) => ({ eventId, subscriptionId }));
  // Each step takes longer than a turn may.
  let clock = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 11));
  const { value, turns } = await countingTurns(() => gather(sql, 'store', pairs)).finally(() => now.mockRestore());
  expect(turns).toBeGreaterThanOrEqual(ids.length);
  expect(value.changed).toEqual([subscriptionId]);
});
