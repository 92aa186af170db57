import type { z } from 'zod';

import type * as keys from './keys.ts';

export type KeyLife = z.output<typeof keys.keyLife>;
