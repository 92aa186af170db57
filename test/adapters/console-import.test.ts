import { expect, it } from 'vitest';

import { countLines, partDone } from '../../console/pages/products/import-lines.ts';

it('an import is as far as the lines that are done, not as what was sent', async () => {
  const lines = await countLines(new Blob(['Handle,Title\n', 'saw,"Tenon\nsaw"\n', 'plane,Plane']));
  expect(lines).toBe(4);
  expect(partDone(lines, { nextLine: 4 })).toEqual({ max: 4, value: 3 });
  expect(partDone(lines, { nextLine: null })).toEqual({ max: 4, value: 4 });
  expect([partDone(null, { nextLine: 4 }), partDone(lines, null)]).toEqual([{}, {}]);
});
