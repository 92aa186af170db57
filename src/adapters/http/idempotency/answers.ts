import type { z } from 'zod';

import type * as keys from './key-life.ts';

export type KeyLife = z.output<typeof keys.keyLife>;
