import type { CustomFetch } from 'openid-client';

/** Metadata, keys and tokens have some kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Breaks off an answer that is longer, as it is once uncompressed. */
const limited = (): TransformStream<Uint8Array, Uint8Array> => {
  let read = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      read += chunk.length;
      if (read > MAX_ANSWER_BYTES) throw new Error(`The answer is longer than ${String(MAX_ANSWER_BYTES)} bytes.`);
      controller.enqueue(chunk);
    },
  });
};

/** `fetch`, with a limit on what is read. */
export const limitedFetch: CustomFetch = async (url, { body, ...options }) => {
  const response = await fetch(url, { ...options, ...(body != null && { body }) });
  return new Response(response.body?.pipeThrough(limited()), response);
};
