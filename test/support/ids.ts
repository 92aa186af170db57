import type { Ids } from '../../src/domain/ports/ids.ts';

/** 00000000-0000-7000-8000-000000000001 and so on: valid as UUIDs version 7, in order. */
export const sequentialIds = (): Ids => {
  let last = 0;
  return {
    next: () => {
      last += 1;
      return `00000000-0000-7000-8000-${last.toString(16).padStart(12, '0')}`;
    },
  };
};
