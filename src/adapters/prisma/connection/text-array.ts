const TEXT_OID = 25;
const HEADER_BYTES = 20;

/**
 * A text[] parameter in PostgreSQL's binary form, which pg sends for a Buffer. As text, each quote in a JSON body would be escaped here and
 * unescaped there. Not for an empty list.
 */
export const textArray = (texts: readonly string[]): Buffer => {
  const size = texts.reduce((total, text) => total + 4 + Buffer.byteLength(text), HEADER_BYTES);
  const array = Buffer.allocUnsafe(size);
  // One dimension, no nulls, the elements' type, how many, counted from 1.
  let at = [1, 0, TEXT_OID, texts.length, 1].reduce((offset, number) => array.writeInt32BE(number, offset), 0);
  for (const text of texts) {
    const bytes = array.write(text, at + 4);
    array.writeInt32BE(bytes, at);
    at += 4 + bytes;
  }
  return array;
};
