import type { AuditedChange } from '../../api/types.ts';

export const WAY: Readonly<Record<AuditedChange['way'], string>> = {
  console: 'Console',
  command_line: 'Command line',
  api: 'API',
};
