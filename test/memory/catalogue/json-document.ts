import { hash } from 'node:crypto';

import type { JsonDocument, Reading } from '../../../src/domain/reading.ts';

/** A version that changes with the value, and never comes again for another. */
export const versionOf = (value: object): string => hash('sha1', JSON.stringify(value), 'base64url');

export const jsonDocument = (value: object, { has }: Reading = {}): JsonDocument => {
  const tag = versionOf(value);
  return { tag, bytes: has?.(tag) ? null : Buffer.from(JSON.stringify(value)) };
};
