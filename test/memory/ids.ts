import { v5 } from 'uuid';

import type { Ids } from '../../src/domain/ports/ids.ts';

/** `00000000-0000-7000-8000-000000000001` and on: ids that a test can name. */
export const sequentialIds = (): Ids => {
  let last = 0;
  return {
    named: (namespace, name) => v5(name, namespace),
    next: () => {
      last += 1;
      return `00000000-0000-7000-8000-${last.toString(16).padStart(12, '0')}`;
    },
  };
};
