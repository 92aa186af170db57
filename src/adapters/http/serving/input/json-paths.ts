export type JsonPath = readonly (string | number)[];

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = { object: 0x7b, array: 0x5b };
const CLOSE = { object: 0x7d, array: 0x5d };

/** The index behind the string that opens at `start`, or the text's length when it never closes. */
export const stringEnd = (text: string, start: number): number => {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
};

interface Level {
  readonly isArray: boolean;
  index: number;
  key: readonly [start: number, end: number];
}

const stepOf = (text: string, { isArray, index, key }: Level): string | number =>
  isArray ? index : (JSON.parse(text.slice(...key)) as string);

/** Takes the walk over one character, or one string; answers the index of its last character. */
const step = (text: string, at: number, levels: Level[]): number => {
  const code = text.charCodeAt(at);
  const level = levels.at(-1);
  if (code === OPEN.object || code === OPEN.array) levels.push({ isArray: code === OPEN.array, index: 0, key: [0, 0] });
  else if (code === CLOSE.object || code === CLOSE.array) levels.pop();
  else if (code === COMMA && level) level.index += 1;
  else if (code === QUOTE) {
    const end = stringEnd(text, at);
    if (level) level.key = [at, end];
    return end - 1;
  }
  return at;
};

/** The paths of the values that begin at these places, ascending, of a valid JSON text. */
export function* pathsAt(text: string, places: readonly number[]): Generator<JsonPath, void> {
  const levels: Level[] = [];
  let next = 0;
  for (let at = 0; at < text.length && next < places.length; at += 1) {
    if (at === places[next]) {
      next += 1;
      yield levels.map((level) => stepOf(text, level));
    }
    at = step(text, at, levels);
  }
}
