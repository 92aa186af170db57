import { describe, expect, it, vi } from 'vitest';

import { reportText } from '../../../src/adapters/cli/commands/products/report-file.ts';
import { progressBar, progressText, showProgress, type Progress } from '../../../src/adapters/cli/output/progress.ts';
import { CLEAR_LINE } from '../../../src/adapters/cli/output/style.ts';

const HALF: Progress = { bytes: 500, size: 1_000, counts: { read: 2_000, failed: 3 }, elapsedMs: 10_000 };

describe('the progress of an import', () => {
  it('has the share, the products, their rate, the failures and the time left', () => {
    expect(progressText(HALF)).toBe('50 %  2,000 products  200/s  3 failed  0:10 left');
  });

  it('leaves out what is not known yet', () => {
    expect(progressText({ ...HALF, counts: null })).toBe('50 %  0:10 left');
    expect(progressText({ ...HALF, size: null })).toBe('0 KiB  2,000 products  200/s  3 failed');
    expect(progressText({ ...HALF, bytes: 0 })).toBe('0 %  2,000 products  200/s  3 failed');
    expect(progressText({ ...HALF, bytes: 1_000 })).not.toContain('left');
  });

  it.each([
    [1_000, '0:01'],
    [59_001, '1:00'],
    [3_723_000, '1:02:03'],
  ])('%i ms are %s', (elapsedMs, shown) => {
    expect(progressText({ ...HALF, elapsedMs })).toContain(`${shown} left`);
  });

  it('is a bar on a wide terminal, and never wider than the terminal', () => {
    expect(progressBar(HALF, 100)).toMatch(/^\[={12} {12}\] 50 % /);
    for (const columns of [80, 60, 40, 10]) expect(progressBar(HALF, columns).length).toBeLessThan(columns);
  });

  it('moves on a terminal, is a line now and then elsewhere, and nothing with --quiet', () => {
    vi.useFakeTimers();
    try {
      const shown = (isTTY: boolean, quiet: boolean): string => {
        let written = '';
        const stderr = { isTTY, columns: 100, write: (text: string | Uint8Array) => (written += String(text)) };
        const end = showProgress({ process: { stderr }, quiet, read: () => HALF });
        vi.advanceTimersByTime(20_000);
        end();
        vi.advanceTimersByTime(20_000);
        return written;
      };
      const bars = shown(true, false).split(CLEAR_LINE);
      expect(bars).toHaveLength(1 + 1 + 100 + 1);
      expect(bars.at(-1)).toMatch(/\[={12} {12}\] 50 % .*left\n$/);
      expect(shown(false, false)).toBe(`${progressText(HALF)}\n`.repeat(2));
      expect(shown(true, true)).toBe('');
    } finally {
      vi.useRealTimers();
    }
  });
});

it('the report of failed rows is CSV that a spreadsheet opens, and runs nothing of it', () => {
  const errors = [
    { line: 2, message: 'Title "a, b" is too long.' },
    { line: 3, message: '=HYPERLINK("x")' },
  ];
  expect(reportText(errors)).toBe(`\uFEFFline,message\r\n2,"Title ""a, b"" is too long."\r\n3,"'=HYPERLINK(""x"")"\r\n`);
});
