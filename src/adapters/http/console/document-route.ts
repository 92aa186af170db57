import { z } from 'zod';

import { ok } from '../../../domain/result.ts';
import { jsonText } from '../answer.ts';
import { route } from '../route.ts';
import type { Route } from '../route-declaration.ts';

const listener = z.enum(['app', 'admin']);

/** The OpenAPI document of each listener, for the console's own pages: they cannot read from another listener. */
export const documentRoute = (documents: Readonly<Record<z.output<typeof listener>, object>>): Route =>
  route
    .get('/admin/openapi.json')
    .admin()
    .query(z.object({ listener: listener.default('admin') }))
    .returns(200, z.unknown())
    .handle((_app, { query }) => Promise.resolve(ok(jsonText(JSON.stringify(documents[query.listener])))));
