export const MAX_NAME_LENGTH = 255;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * The length in characters. A character is a Unicode code point, as in JSON Schema, not a UTF-16
 * unit.
 */
export const lengthOf = (text: string): number => {
  let length = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if (!isLowSurrogate(text.charCodeAt(at)) || !isHighSurrogate(text.charCodeAt(at - 1))) continue;
    length -= 1;
    at += 1;
  }
  return length;
};

/** Counts characters, and stops in a text that is long enough anyway. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || lengthOf(text) > max);

export const lengthRule = (max: number): string => `must have at most ${max} characters`;

/** The first `max` characters, for messages that quote input. */
export const shortened = (text: string, max: number): string =>
  Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('');

/** The text without white space at its ends, as every name is kept. */
export const trimmed = (text: string): string => text.trim();

export const NAME_RULE = `must have 1 to ${MAX_NAME_LENGTH} characters`;

/** The name as it is kept: trimmed, 1 to 255 characters, and valid in a database. Otherwise null.
 */
export const parseName = (text: string): string | null => {
  const name = trimmed(text);
  if (name === '' || isLongerThan(name, MAX_NAME_LENGTH)) return null;
  return name.includes('\0') || !name.isWellFormed() ? null : name;
};
