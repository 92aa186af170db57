import { z } from 'zod';

import { ok } from '../../../domain/result.ts';
import { jsonText } from '../answer.ts';
import { route } from '../route.ts';
import type { Route } from '../route-declaration.ts';

const listener = z.enum(['app', 'admin']);

/**
 * The OpenAPI document of each listener, for the pages of the merchant's console: they cannot read
 * from another listener.
 */
export const documentRoute = (documents: Readonly<Record<z.output<typeof listener>, () => string>>): Route =>
  route
    .get('/admin/openapi.json', 'getAdminDocument')
    .admin('', { stores: 'own' })
    .query(z.object({ listener: listener.default('admin') }))
    .returns(200, z.unknown())
    .handle((_app, { query }) => Promise.resolve(ok(jsonText(documents[query.listener]()))));

export const appDocumentRoute = (document: () => string): Route =>
  route
    .get('/apps/openapi.json', 'getAppDocument')
    .anyScope()
    .returns(200, z.unknown())
    .handle(() => Promise.resolve(ok(jsonText(document()))));
