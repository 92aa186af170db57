import { expect, it, vi } from 'vitest';

import { importFile } from '../../../src/adapters/http/import/import-file.ts';
import { readDocument } from '../../../src/adapters/http/catalogue/product-imports.ts';
import type { ImportItem } from '../../../src/domain/catalogue/product-import.ts';

const HEADER = 'Handle,Title,Body (HTML),Variant SKU,Variant Price\n';
const row = (n: number, text = ''): string => `saw-${n},Saw ${n},${text},SAW-${n},62.50\n`;

async function* sent(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const itemsOf = async (source: AsyncIterable<ImportItem>): Promise<ImportItem[]> => {
  const items: ImportItem[] = [];
  for await (const item of source) items.push(item);
  return items;
};

interface Upload {
  readonly text: string;
  readonly type?: 'text/csv' | 'application/x-ndjson';
  readonly left?: AbortSignal;
}

/** Reads the file as an import does. `judged` is how often a line of it was judged. */
const twice = async ({ text, type = 'text/csv', left }: Upload) => {
  let judged = 0;
  const upload = { bytes: sent(text), contentType: type, charset: 'utf-8', currency: 'EUR' };
  const counting: typeof readDocument = (json) => {
    judged += 1;
    return readDocument(json);
  };
  const file = importFile({ ...upload, readDocument: counting }, left);
  try {
    return { preview: await itemsOf(file.preview.items), items: await itemsOf(file.items), judged };
  } finally {
    await file.close();
  }
};

const lines = (items: readonly ImportItem[]) =>
  items.flatMap((item) => ('document' in item ? (item.document.slug ?? []) : 'message' in item ? item.message : []));

it('keeps what the preview found of a small file, and reads a large one again', async () => {
  const product = (n: number, text = '') => `${JSON.stringify({ name: `Saw ${n}`, slug: `saw-${n}`, description: text })}\n`;
  const small = await twice({ text: product(1) + product(2), type: 'application/x-ndjson' });
  expect([small.judged, lines(small.items)]).toEqual([2, ['saw-1', 'saw-2']]);
  const text = Array.from({ length: 50 }, (_, n) => product(n, 'x'.repeat(100_000))).join('');
  const large = await twice({ text, type: 'application/x-ndjson' });
  expect([large.judged, large.items]).toEqual([100, large.preview]);
});

it('keeps a bounded number of faults', async () => {
  const { preview, items, judged } = await twice({ text: '{}\n'.repeat(20_000), type: 'application/x-ndjson' });
  expect([judged, items]).toEqual([40_000, preview]);
});

it('reads a file again where the rows of a product are apart', async () => {
  const { preview, items } = await twice({ text: `${HEADER}${row(1)}${row(2)}${row(1)}` });
  expect(lines(preview)).toEqual(['saw-1', 'saw-2', expect.stringContaining('apart')]);
  expect(lines(items)).toEqual([expect.stringContaining('apart'), 'saw-2']);
});

it('ends where nobody waits for the report', async () => {
  await expect(twice({ text: HEADER + row(1), left: AbortSignal.abort() })).rejects.toThrow('aborted');
});

it('says where it cannot keep a file', async () => {
  vi.stubEnv('TMPDIR', '/nowhere');
  try {
    await expect(twice({ text: HEADER + row(1) })).rejects.toThrow(
      'temporary folder, /nowhere (ENOENT), so nothing was imported.',
    );
  } finally {
    vi.unstubAllEnvs();
  }
});
