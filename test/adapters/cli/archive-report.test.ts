import { Readable } from 'node:stream';
import { expect, it } from 'vitest';

import { archivePrinter } from '../../../src/adapters/cli/commands/server/archive-report.ts';
import type { ArchiveReport } from '../../../src/adapters/wiring/archive/backup.ts';

const saidOf = (report: Pick<ArchiveReport, 'rows' | 'mediaFiles' | 'missingMediaFiles'>): string => {
  let said = '';
  const output = { write: (text: string | Uint8Array) => (said += String(text)) };
  const process = { stdin: Readable.from([]), stdout: output, stderr: output, env: {} };
  archivePrinter({ process, interrupted: () => new AbortController().signal }, {}).done('Restored', {
    store: null,
    ...report,
    lostSecrets: {},
    bytes: 1e6,
  });
  return said;
};

it.each([
  [1, '1 row and 1 media file, 1.0 MB'],
  [1_234, '1,234 rows and 1,234 media files, 1.0 MB'],
])('the report of an archive with %i of each counts them in words', (count, words) => {
  expect(saidOf({ rows: count, mediaFiles: count, missingMediaFiles: 0 })).toContain(`Restored: ${words}`);
});
