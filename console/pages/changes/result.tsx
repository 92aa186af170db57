import type { AuditedChange } from '../../api/types.ts';
import { Badge, StatusBadge } from '../../parts/badge.tsx';

/** What came of a change. What was refused is so also where its outcome is not known. */
export const Result = ({ refusal, outcome }: Pick<AuditedChange, 'outcome' | 'refusal'>) => {
  if (refusal) return <Badge tone="bad">Refused</Badge>;
  return outcome === null ? <Badge tone="warn">not known</Badge> : <StatusBadge status={outcome.status} />;
};
