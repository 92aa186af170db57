import type { CliProcess } from '../context.ts';
import { widthOf } from './printer.ts';
import { CLEAR_LINE } from './style.ts';
import { plural } from '../../../domain/values/plural.ts';

export interface Progress {
  readonly bytes: number;
  readonly size: number | null;
  readonly counts: { readonly read: number; readonly failed: number } | null;
  readonly elapsedMs: number;
}

const BAR = 24;
const SHOWN_EVERY_MS = 200;
const SAID_EVERY_MS = 10_000;

const number = (value: number): string => Math.round(value).toLocaleString('en');

/** `0:07`, `12:30`, `1:02:03`. */
const duration = (ms: number): string => {
  const seconds = Math.ceil(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${hours > 0 ? `${String(hours)}:${two(minutes)}` : String(minutes)}:${two(seconds % 60)}`;
};

/** `43 %  12,345 products  1,830/s  3 failed  0:12 left`, as far as it is known. */
export const progressText = ({ bytes, size, counts, elapsedMs }: Progress): string => {
  const share = size === null ? null : Math.min(1, bytes / size);
  const rate = counts && elapsedMs > 0 ? counts.read / (elapsedMs / 1_000) : null;
  return [
    share === null ? `${number(bytes / 1_024)} KiB` : `${String(Math.floor(share * 100))} %`,
    counts && plural(counts.read, 'product'),
    rate !== null && `${number(rate)}/s`,
    counts && `${number(counts.failed)} failed`,
    share !== null && share > 0 && share < 1 && `${duration((elapsedMs * (1 - share)) / share)} left`,
  ]
    .filter(Boolean)
    .join('  ');
};

/** Adds a bar in front, no wider than the terminal. */
export const progressBar = (progress: Progress, columns: number): string => {
  const text = progressText(progress);
  const filled = progress.size === null ? null : Math.floor(Math.min(1, progress.bytes / progress.size) * BAR);
  const line = filled === null ? text : `[${'='.repeat(filled)}${' '.repeat(BAR - filled)}] ${text}`;
  return (line.length < columns ? line : text).slice(0, columns - 1);
};

export interface LineOptions {
  readonly process: Pick<CliProcess, 'stderr'>;
  readonly quiet: boolean;
  /** The text for a terminal of this width; null where there is no terminal. */
  readonly read: (columns: number | null) => string;
}

/** Shows a line that changes, until the function that it returns is called. Without a terminal, it says the text now and then. */
export const showLine = ({ process: { stderr: output }, quiet, read }: LineOptions): (() => void) => {
  if (quiet) return () => undefined;
  if (!output.isTTY) {
    const saying = setInterval(() => void output.write(`${read(null)}\n`), SAID_EVERY_MS);
    return () => {
      clearInterval(saying);
    };
  }
  const show = (): void => {
    const columns = widthOf(output);
    output.write(`${CLEAR_LINE}${read(columns).slice(0, columns - 1)}`);
  };
  show();
  const showing = setInterval(show, SHOWN_EVERY_MS);
  return () => {
    clearInterval(showing);
    show();
    output.write('\n');
  };
};

export interface ProgressOptions extends Omit<LineOptions, 'read'> {
  readonly read: () => Progress;
}

export const showProgress = ({ read, ...options }: ProgressOptions): (() => void) =>
  showLine({ ...options, read: (columns) => (columns === null ? progressText(read()) : progressBar(read(), columns)) });
