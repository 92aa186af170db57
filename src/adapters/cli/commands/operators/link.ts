import type { ConsoleCode } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { findOperator, OPERATOR_ARGUMENT } from './shown.ts';

export const linkOperator = adminCommand({
  docs: {
    brief: 'Create a link that signs an operator in to the console',
    about: 'The link works once, within 10 minutes. Send it to the operator over a channel that you trust.',
    examples: ['tenon operators link "Ada Lovelace"'],
  },
  flags: {},
  positional: { kind: 'tuple', parameters: [OPERATOR_ARGUMENT] },
  run: async ({ api, print }, _flags, named) => {
    const { id } = await findOperator(api, named);
    const code = await api.post<ConsoleCode>(`/operators/${id}/links`);
    const url = api.url + code.path;
    print.bare({ url, expiresAt: code.expiresAt }, url);
  },
});
