type Scalar = string | number | boolean | null;
type Encode = (values: readonly Scalar[]) => unknown;

const TEXT_OID = 25;
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;
const UUID_LENGTH = 36;

/** Writes the integers from `offset` on and returns the offset behind them. */
const writeIntegers = (target: Buffer, offset: number, integers: readonly number[]): number =>
  integers.reduce((at, integer) => target.writeInt32BE(integer, at), offset);

/**
 * A text[] in PostgreSQL's binary form, which node-postgres sends for a Buffer. In the text form,
 * each quote of a JSON body would be escaped here and unescaped there.
 */
const binaryTexts = (texts: readonly (string | null)[]): Buffer => {
  const bytes = texts.reduce((total, text) => total + 4 + (text === null ? 0 : Buffer.byteLength(text)), HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  // The header has one dimension, a flag for nulls, the type of the elements, their number, counted from 1.
  let at = writeIntegers(array, 0, [1, texts.includes(null) ? 1 : 0, TEXT_OID, texts.length, 1]);
  for (const text of texts) {
    const length = text === null ? NULL_LENGTH : array.write(text, at + 4);
    array.writeInt32BE(length, at);
    at += 4 + Math.max(length, 0);
  }
  return array;
};

/**
 * The text form of values that need no quotes, which node-postgres would look for in each of them.
 */
const unquoted: Encode = (values) => `{${values.map((value) => String(value ?? 'NULL')).join()}}`;

/**
 * No text of this length holds more than one UUID, so one with a comma or a brace is refused by
 * PostgreSQL.
 */
const isUuidLong = (value: Scalar): boolean => value === null || (typeof value === 'string' && value.length === UUID_LENGTH);

const ENCODERS: Readonly<Record<string, Encode>> = {
  text: (values) => (values.length === 0 ? '{}' : binaryTexts(values as readonly (string | null)[])),
  uuid: (values) => (values.every(isUuidLong) ? unquoted(values) : values),
  bool: unquoted,
  float8: unquoted,
  int4: unquoted,
};

/**
 * The fastest form of an array whose elements are of this type; undefined where node-postgres's own
 * is used.
 */
export const arrayEncoder = (elementType: string): Encode | undefined => ENCODERS[elementType];
