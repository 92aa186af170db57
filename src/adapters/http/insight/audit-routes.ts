import { z } from 'zod';

import { ok } from '../../../domain/result.ts';
import { EXPORT_ENDS, INCOMPLETE, NDJSON, ndjson } from '../ndjson.ts';
import { route } from '../route.ts';
import { AUDIT_EXAMPLE, auditExportQuery, auditPage, auditQuery } from './audit.ts';
import { asCursorPage } from '../kit/cursor.ts';
import { OWNERS } from '../kit/owners.ts';

export const auditRoutes = [
  route
    .get('/admin/audit', 'listChanges')
    .admin('Operators', OWNERS)
    .summary(
      'List the changes',
      'Lists what operators asked to change, newest first, with its outcome, and refused changes and sign-ins. The entries are kept for two years. `GET /admin/verify` checks their chain of hashes.',
    )
    .query(auditQuery)
    .returns(200, auditPage)
    .refuses('invalid')
    .handle(async (app, { query }) => ok(asCursorPage(await app.listAudit(query.filter, query.from)))),
  route
    .get('/admin/audit/export', 'exportChanges')
    .admin('Operators', OWNERS)
    .summary('Export the changes', `Streams every change that matches, one per line, newest first. ${EXPORT_ENDS}`)
    .query(auditExportQuery)
    .returns(200, z.string(), NDJSON)
    .example({ response: `${JSON.stringify(AUDIT_EXAMPLE)}\n` })
    .refuses('invalid')
    .handle((app, { query, context: { renewal } }) =>
      Promise.resolve(ok(ndjson(app.exportAudit(query), { renewal, lastLine: INCOMPLETE }))),
    ),
];
