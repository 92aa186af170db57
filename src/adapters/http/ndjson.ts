import { Raw, type StreamOptions } from './answer.ts';
import { JudgedParts, type JudgedOptions } from './judged-parts.ts';

export const NDJSON = 'application/x-ndjson';

/** A reader of a long answer that takes nothing for this time is disconnected. */
export const STALL_SECONDS = 30;

/** The last line of an export whose reader lost access. */
export const INCOMPLETE = { incomplete: 'Your access has ended, or the store is being erased. This export is not complete.' };

/** Ends the description of each export of the admin API. */
export const EXPORT_ENDS =
  'If your access ends meanwhile, the connection is cut, and the last line is `{"incomplete": …}`. ' +
  `A reader that takes nothing for ${String(STALL_SECONDS)} seconds is disconnected.`;

const lineOf = (item: object): string => `${JSON.stringify(item)}\n`;

function* linesOf(page: Iterable<object>): Generator<string> {
  for (const item of page) yield lineOf(item);
}

async function* partsOf(pages: AsyncIterable<Iterable<object>>): AsyncGenerator<Iterable<string>> {
  for await (const page of pages) yield linesOf(page);
}

interface NdjsonOptions extends Omit<JudgedOptions, 'lastWords'>, Pick<StreamOptions, 'isCompressible'> {
  /** The last line when the access of the reader ends: a kept file shows that it is not complete. */
  readonly lastLine?: object;
}

/** A stream with each item of each page as a line of JSON. */
export const ndjson = (
  pages: AsyncIterable<Iterable<object>>,
  { renewal, lastLine, isCompressible = false }: NdjsonOptions,
): Raw => {
  const options = { renewal, ...(lastLine && { lastWords: lineOf(lastLine) }) };
  return new Raw(new JudgedParts(partsOf(pages), options), NDJSON, { stallSeconds: STALL_SECONDS, isCompressible });
};
