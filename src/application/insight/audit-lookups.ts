import type { AuditAnswer, AuditAsked } from '../../domain/insight/audit.ts';
import type { AuditRefusal } from '../../domain/insight/audit-refusal.ts';
import type { AuditFilter, AuditRecord } from '../../domain/ports/insight/audit-log.ts';
import { NO_STORE } from '../../domain/ports/locator.ts';
import type { Ports } from '../../domain/ports/index.ts';

export interface Audited extends Omit<AuditAsked, 'refusal'> {
  readonly refusal: AuditRefusal | null;
  readonly id: string;
  readonly storeId: string | null;
  readonly number: number;
  readonly at: string;
  readonly operatorId: string | null;
  /** Null where the server was stopped before the outcome was recorded. */
  readonly outcome: (AuditAnswer & { readonly at: string }) | null;
  readonly hash: string;
}

/** The content is JSON that this server wrote. */
const auditedOf = ({ storeId, content, answer, ...record }: AuditRecord): Audited => ({
  refusal: null,
  ...(JSON.parse(content) as AuditAsked),
  ...record,
  storeId: storeId === NO_STORE ? null : storeId,
  outcome: answer && { ...(JSON.parse(answer.content) as AuditAnswer), at: answer.at },
});

export interface AuditPage {
  readonly items: readonly Audited[];
  readonly next: string | null;
}

const listAudit =
  ({ auditLog }: Pick<Ports, 'auditLog'>) =>
  async (filter: AuditFilter, from: { readonly after: string | null; readonly take: number }): Promise<AuditPage> => {
    const { items, next } = await auditLog.list(filter, from);
    return { items: items.map(auditedOf), next };
  };

const PAGE = 250;

const exportAudit = ({ auditLog }: Pick<Ports, 'auditLog'>) =>
  async function* (filter: AuditFilter): AsyncGenerator<readonly Audited[]> {
    let after: string | null = null;
    do {
      const page: AuditPage = await listAudit({ auditLog })(filter, { after, take: PAGE });
      yield page.items;
      after = page.next;
    } while (after !== null);
  };

/** The changes that match, newest first: a page of them, or all in pages. */
export const auditLookups = (ports: Pick<Ports, 'auditLog'>) => ({
  exportAudit: exportAudit(ports),
  listAudit: listAudit(ports),
});
