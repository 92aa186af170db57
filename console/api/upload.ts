import { API, GUARD, tellSignedOut } from './client.ts';
import { ApiError, errorFrom, UNREACHABLE } from './problem.ts';

interface Answer<T> {
  readonly body: T;
  readonly requestId: string | null;
}

interface Upload<T> {
  /** Rejects with an ApiError, or with an AbortError after `cancel`. */
  readonly done: Promise<Answer<T>>;
  readonly cancel: () => void;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy answered. The status says enough.
    return {};
  }
};

/** Sends a file to the API. `fetch` does not report how many bytes were sent, so this is an XMLHttpRequest. */
export const upload = <T>(path: string, file: Blob, contentType: string, onSent: (bytes: number) => void): Upload<T> => {
  const exchange = new XMLHttpRequest();
  const done = new Promise<Answer<T>>((resolve, reject) => {
    exchange.upload.onprogress = ({ loaded }) => onSent(loaded);
    exchange.upload.onload = () => onSent(file.size);
    exchange.onerror = () => reject(new ApiError(UNREACHABLE, 0, null, null));
    exchange.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    exchange.onload = () => {
      const { status } = exchange;
      const requestId = exchange.getResponseHeader('x-request-id');
      const body = parsed(exchange.responseText);
      if (status >= 200 && status < 300) {
        resolve({ body: body as T, requestId });
        return;
      }
      if (status === 401) tellSignedOut();
      reject(errorFrom(status, requestId, body as Parameters<typeof errorFrom>[2]));
    };
  });
  exchange.open('POST', API + path);
  for (const [name, value] of Object.entries(GUARD)) exchange.setRequestHeader(name, value);
  exchange.setRequestHeader('Content-Type', contentType);
  exchange.send(file);
  return { done, cancel: () => exchange.abort() };
};
