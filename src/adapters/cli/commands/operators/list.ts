import type { Operator } from '../../../http/answers.ts';
import { all, pages } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { WIDE_FLAG } from '../../flags.ts';
import { OPERATOR_COLUMNS } from './shown.ts';

export const listOperators = adminCommand({
  docs: {
    brief: 'List the operators',
    about: 'Includes those who have ended. The holder of ADMIN_TOKEN is not listed.',
    examples: ['tenon operators list'],
  },
  flags: WIDE_FLAG,
  run: async ({ api, print }) => {
    print.list(await all(pages<Operator>(api, '/operators')), OPERATOR_COLUMNS);
  },
});
