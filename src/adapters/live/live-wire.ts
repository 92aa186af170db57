import { MAX_MESSAGE_BYTES } from '../../domain/ports/node-messages.ts';
import type { LiveItem, LiveSubject } from '../../domain/ports/webhooks/live-channel.ts';

/** Reports a node's interest. Every message has the sender's id. */
export interface InterestMessage {
  readonly node: string;
  readonly watch?: readonly LiveSubject[];
  /** Subjects that it no longer watches. */
  readonly end?: readonly LiveSubject[];
  readonly ask?: true;
}

export interface ItemsMessage {
  readonly node: string;
  readonly subject: LiveSubject;
  readonly dropped: number;
  readonly items: readonly LiveItem[];
}

/** The object of a message with its sender. Null where there is none. */
const objectOf = (message: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(message);
    const isObject = typeof value === 'object' && value !== null && 'node' in value;
    return isObject ? value : null;
  } catch {
    return null;
  }
};

const isList = (value: unknown): boolean => value === undefined || Array.isArray(value);

/** Null where it cannot be read: nodes of another version may be running. */
export const readInterest = (message: string): InterestMessage | null => {
  const read = objectOf(message);
  return read && isList(read['watch']) && isList(read['end']) ? (read as unknown as InterestMessage) : null;
};

/** Null where it cannot be read: nodes of another version may be running. */
export const readItems = (message: string): ItemsMessage | null => {
  const read = objectOf(message);
  const isRead = read && Array.isArray(read['items']) && typeof read['dropped'] === 'number';
  return isRead ? (read as unknown as ItemsMessage) : null;
};

/**
 * The JSON texts in groups, each as an array after `head` and before `}`, so that each group fits
 * into a message. A text that fits into none has to be left out before.
 */
export const packed = function* (head: string, texts: readonly string[]): Generator<{ message: string; count: number }> {
  const room = MAX_MESSAGE_BYTES - Buffer.byteLength(head) - '[]}'.length;
  let group: string[] = [];
  let bytes = 0;
  const closed = (): { message: string; count: number } => ({ message: `${head}[${group.join(',')}]}`, count: group.length });
  for (const text of texts) {
    const size = Buffer.byteLength(text) + 1;
    if (group.length > 0 && bytes + size > room) {
      yield closed();
      [group, bytes] = [[], 0];
    }
    group.push(text);
    bytes += size;
  }
  if (group.length > 0) yield closed();
};
