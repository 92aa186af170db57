import type { IncomingMessage } from 'node:http';

const unlimited = new WeakSet<IncomingMessage>();

/**
 * Lets this request's body take as long as it needs: a file of any size, from a caller who has been
 * let in.
 */
export const allowAnyTime = (req: IncomingMessage): void => void unlimited.add(req);

export const mayTakeAnyTime = (req: IncomingMessage): boolean => unlimited.has(req);
