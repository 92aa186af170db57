/** Tenon sends at most 256 KB; what is longer is not its delivery. */
export const MAX_BODY_BYTES = 1_048_576;

/** Why a body cannot be verified any more. */
export const PARSED =
  'The body was read before the receiver, so its signature cannot be verified. Put the receiver before any body parser, such as express.json().';

/** The parts of a body. */
export type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The bytes of a stream; null as soon as there are too many. */
export const readBytes = async (stream: Bytes): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};
