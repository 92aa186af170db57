import { REFUSED_BECAUSE } from '../../../src/adapters/http/console/shared.ts';
import type { AuditedChange } from '../../api/types.ts';

export const WAY: Readonly<Record<AuditedChange['way'], string>> = {
  console: 'Console',
  command_line: 'Command line',
  api: 'API',
};

type Refusal = NonNullable<AuditedChange['refusal']>;

export const whyText = ({ reason }: Refusal): string => REFUSED_BECAUSE[reason];

/** An entry may stand for others. */
export const refusedText = ({ count }: Refusal): string => (count > 1 ? `${count.toLocaleString()} refused` : 'Refused');
