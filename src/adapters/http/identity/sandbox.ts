import { z } from 'zod';

import type { Store } from '../../../domain/identity/store.ts';
import { exampleId, EXAMPLE_TIME } from '../kit/example-record.ts';

export const sandboxParams = z.object({
  name: z.string().meta({ description: 'Of the sandbox store: 1 to 32 characters a-z, 0-9 and -.', examples: ['ci'] }),
});

const EXAMPLE = { name: 'ci', storeId: exampleId(99), domain: 'ci-0f6c2f1b7a10.sandbox.example.com', createdAt: EXAMPLE_TIME };

export const sandbox = z
  .object({
    name: z.string(),
    storeId: z.guid(),
    domain: z.string().meta({ description: 'Request tokens for the store here.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'Sandbox',
    description: 'A store in which the developer of a platform app tries it.',
    examples: [EXAMPLE],
  });

export const sandboxList = z.array(sandbox).meta({ examples: [[EXAMPLE]] });

export const sandboxOf = ({ id, name, domain, createdAt }: Store): z.input<typeof sandbox> => ({
  name,
  storeId: id,
  domain,
  createdAt,
});
