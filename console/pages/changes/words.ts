import { REFUSED_BECAUSE } from '../../../src/domain/insight/audit-refusal.ts';
import type { AuditedChange } from '../../api/types.ts';

export const WAY: Readonly<Record<AuditedChange['way'], string>> = {
  console: 'Console',
  command_line: 'Command line',
  api: 'API',
};

type Refusal = NonNullable<AuditedChange['refusal']>;

export const whyText = ({ reason }: Refusal): string => REFUSED_BECAUSE[reason];

/** How many there were, where the entry stands for others; null for one alone. */
export const countText = ({ count }: Refusal): string | null =>
  count > 1 ? `${count.toLocaleString()} in that hour so far. Most of them have no entry of their own.` : null;
