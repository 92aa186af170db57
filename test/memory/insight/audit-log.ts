import { createHash } from 'node:crypto';

import { chainedText } from '../../../src/domain/insight/audit.ts';
import { REFUSAL_PREFIX, type RefusalFigures } from '../../../src/domain/insight/audit-refusal.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { AuditLog, AuditRecord, NewAuditEntry } from '../../../src/domain/ports/insight/audit-log.ts';
import { table, type MemoryState } from '../state.ts';

export interface AuditRow extends NewAuditEntry {
  readonly number: number;
  readonly hash: string;
}

const DAY = 86_400_000;

/** By `storeId/id`. */
export const auditRowsOf = (state: MemoryState): Map<string, AuditRow> => table<AuditRow>(state, 'audit_log');

export const hashOfEntry = (previous: string, row: Omit<AuditRow, 'hash'>): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(chainedText(row)).digest('hex');

interface RefusalRow extends RefusalFigures {
  readonly hour: string;
}

export const auditLog = (state: MemoryState, clock: Clock): AuditLog => {
  const heads = (): Map<string, { number: number; hash: string }> => table(state, 'audit_heads');
  const rows = (): AuditRow[] => [...auditRowsOf(state).values()];
  return {
    append: async (entry) => {
      const head = heads().get(entry.storeId) ?? { number: 0, hash: '' };
      const row = { ...entry, number: head.number + 1 };
      const hash = hashOfEntry(head.hash, row);
      heads().set(entry.storeId, { number: row.number, hash });
      auditRowsOf(state).set(`${entry.storeId}/${entry.id}`, { ...row, hash });
    },
    countRefused: async (kind, hour, { listed, refused }) => {
      const refusals = table<RefusalRow>(state, 'audit_refusals');
      const known = refusals.get(kind);
      const present = known && known.hour >= hour ? known : { hour, listed: 0, refused: 0 };
      const figures = { listed: present.listed + listed, refused: present.refused + refused };
      refusals.set(kind, { ...figures, hour: present.hour });
      return figures;
    },
    list: async ({ storeId, operatorId, since, isRefused = false }, { after, take }) => {
      const found = rows()
        .filter((row) => row.answers === null && (storeId === undefined || row.storeId === storeId))
        .filter((row) => (operatorId === undefined || row.operatorId === operatorId) && (since === undefined || row.at >= since))
        .filter(({ content }) => !isRefused || content.startsWith(REFUSAL_PREFIX))
        .filter(({ id }) => after === null || id < after)
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      const items = found.slice(0, take).map(({ answers: _asked, ...row }): AuditRecord => {
        const answer = rows().find(({ answers, storeId: of }) => answers === row.id && of === row.storeId);
        return { ...row, answer: answer ? { at: answer.at, content: answer.content } : null };
      });
      return { items, next: found.length > take ? (items.at(-1)?.id ?? null) : null };
    },
    purge: async (days, limit) => {
      const old = rows().filter(({ at }) => Date.parse(at) < clock.now() - days * DAY);
      for (const { storeId, id } of old.slice(0, limit)) auditRowsOf(state).delete(`${storeId}/${id}`);
      return Math.min(old.length, limit);
    },
  };
};
