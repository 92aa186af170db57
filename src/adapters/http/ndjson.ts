import { Raw, type StreamOptions } from './answer.ts';

export const NDJSON = 'application/x-ndjson';

async function* linesOf(items: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

/** A stream with each item as a line of JSON. */
export const ndjson = (items: AsyncIterable<object>, streamed?: StreamOptions): Raw => new Raw(linesOf(items), NDJSON, streamed);
