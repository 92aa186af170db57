/** Characters of a name at most: of a store, an app, a product, a category, a collection, a definition and the like. */
export const MAX_NAME_LENGTH = 255;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The length of a text in characters. A character is a Unicode code point, as in JSON Schema, not a UTF-16 unit. */
export const lengthOf = (text: string): number => {
  let length = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if (!isLowSurrogate(text.charCodeAt(at)) || !isHighSurrogate(text.charCodeAt(at - 1))) continue;
    length -= 1;
    at += 1;
  }
  return length;
};

/** Whether the text has more than `max` characters. A long text is not counted to its end. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || lengthOf(text) > max);

/** The first `max` characters, for messages that quote what came in. */
export const shortened = (text: string, max: number): string =>
  isLongerThan(text, max)
    ? Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('')
    : text;

/** The text without white space at its ends: how every name is kept. */
export const trimmed = (text: string): string => text.trim();

export const isBlank = (text: string): boolean => trimmed(text) === '';

/** A name as it is kept: trimmed, 1 to 255 characters, and text that a database can hold. Otherwise null. */
export const parseName = (text: string): string | null => {
  const name = trimmed(text);
  if (name === '' || isLongerThan(name, MAX_NAME_LENGTH)) return null;
  return name.includes('\0') || !name.isWellFormed() ? null : name;
};
