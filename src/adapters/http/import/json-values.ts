const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENERS: ReadonlySet<number> = new Set([0x5b, 0x7b]);

const behindString = (bytes: Buffer, start: number): number => {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
};

/**
 * Counts the values that JSON text has at most, without parsing it: its commas, arrays and objects,
 * and one.
 */
export const countValues = (bytes: Buffer): number => {
  let count = 1;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = behindString(bytes, at);
    else {
      if (byte === COMMA || OPENERS.has(byte)) count += 1;
      at += 1;
    }
  }
  return count;
};
