import { ok } from '../../../../domain/result.ts';
import { Raw } from '../../answer.ts';
import { route } from '../../route.ts';
import { AUDIT_EXAMPLE, auditExportQuery, auditPage, auditQuery } from '../../schemas/audit.ts';
import { asCursorPage } from '../../schemas/cursor.ts';
import { z } from 'zod';

const NDJSON = 'application/x-ndjson';

async function* linesOf(items: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

export const auditRoutes = [
  route
    .get('/admin/audit', 'listChanges')
    .admin('Operators', { needs: 'owner', stores: 'all' })
    .summary(
      'List the changes',
      'Lists what operators asked to change, newest first, with its outcome. The entries are kept for two years. `GET /admin/verify` checks their chain of hashes.',
    )
    .query(auditQuery)
    .returns(200, auditPage)
    .refuses('invalid')
    .handle(async (app, { query }) => ok(asCursorPage(await app.listAudit(query.filter, query.from)))),
  route
    .get('/admin/audit/export', 'exportChanges')
    .admin('Operators', { needs: 'owner', stores: 'all' })
    .summary('Export the changes', 'Streams every change that matches, one per line, newest first.')
    .query(auditExportQuery)
    .returns(200, z.string(), NDJSON)
    .example({ response: `${JSON.stringify(AUDIT_EXAMPLE)}\n` })
    .refuses('invalid')
    .handle((app, { query }) => Promise.resolve(ok(new Raw(linesOf(app.exportAudit(query)), NDJSON)))),
];
