import { z } from 'zod';

import { MAX_SANDBOX_ENTRIES, MAX_SANDBOX_IMAGES, MAX_SANDBOXES } from '../../../domain/identity/sandbox.ts';
import type { Store } from '../../../domain/identity/store.ts';
import { ok } from '../../../domain/result.ts';
import { exampleId, EXAMPLE_TIME } from '../kit/example-record.ts';
import { route } from '../route.ts';

const sandboxParams = z.object({
  name: z.string().meta({ description: 'Of the sandbox store: 1 to 32 characters a-z, 0-9 and -.', examples: ['ci'] }),
});

const EXAMPLE = { name: 'ci', storeId: exampleId(99), domain: 'ci-0f6c2f1b7a10.sandbox.example.com', createdAt: EXAMPLE_TIME };

const sandbox = z
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

const sandboxList = z.array(sandbox).meta({ examples: [[EXAMPLE]] });

const sandboxOf = ({ id, name, domain, createdAt }: Store): z.input<typeof sandbox> => ({
  name,
  storeId: id,
  domain,
  createdAt,
});

const path = '/apps/sandboxes';
const one = `${path}/:name` as const;

/** For developers of platform apps, who need no store: the host of these requests may be any. */
export const sandboxRoutes = [
  route
    .put(one, 'putSandbox')
    .developer('Sandbox stores')
    .summary(
      'Make or reset a sandbox store',
      'Makes a store with demo data and installs the app with all scopes that it asks for. A store that the app has under this name is erased first, so its id, its tokens and its data change. ' +
        `An app can have at most ${MAX_SANDBOXES} sandbox stores, each with at most ${MAX_SANDBOX_ENTRIES.toLocaleString('en')} entries and ${MAX_SANDBOX_IMAGES} images of the app. ` +
        'A name has 1 to 32 characters: a-z, 0-9 and hyphens. Returns 409 beyond a limit, and where the platform has no sandbox stores.',
    )
    .params(sandboxParams)
    .returns(200, sandbox)
    .refuses('invalid', 'conflict')
    .handle(async (app, { platformApp, params }) => {
      const made = await app.putSandbox(platformApp, params.name);
      return made.ok ? ok(sandboxOf(made.value)) : made;
    }),
  route
    .get(path, 'listSandboxes')
    .developer('Sandbox stores')
    .summary('List the sandbox stores', 'Those of the app, oldest first.')
    .returns(200, sandboxList)
    .handle(async (app, { platformApp }) => ok((await app.listSandboxes(platformApp)).value.map(sandboxOf))),
  route
    .delete(one, 'deleteSandbox')
    .developer('Sandbox stores')
    .summary('Delete a sandbox store', 'Permanently erases the store with everything in it.')
    .params(sandboxParams)
    .returnsNothing()
    .refuses('invalid', 'not_found', 'conflict')
    .handle((app, { platformApp, params }) => app.deleteSandbox(platformApp, params.name)),
];
