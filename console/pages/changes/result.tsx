import type { AuditedChange } from '../../api/types.ts';
import { Badge, StatusBadge } from '../../parts/badge.tsx';
import { refusedText } from './words.ts';

/** A refused change is shown as refused even if its outcome is not known. */
export const Result = ({ refusal, outcome }: Pick<AuditedChange, 'outcome' | 'refusal'>) => {
  if (refusal) return <Badge tone="bad">{refusedText(refusal)}</Badge>;
  return outcome === null ? <Badge tone="warn">not known</Badge> : <StatusBadge status={outcome.status} />;
};
