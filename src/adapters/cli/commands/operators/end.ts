import type { Operator } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import { findOperator, OPERATOR_ARGUMENT, shownOperator } from './shown.ts';

export const endOperator = adminCommand({
  docs: {
    brief: 'End the access of an operator',
    about: 'The tokens, console sessions and links of the operator are refused from the next request. This cannot be undone.',
    examples: ['tenon operators end "Ada Lovelace" --yes'],
  },
  flags: { yes: YES_FLAG },
  positional: { kind: 'tuple', parameters: [OPERATOR_ARGUMENT] },
  run: async ({ api, print, context }, { yes }, named) => {
    const { id, name } = await findOperator(api, named);
    await confirm(context, `This ends the access of ${plain(name)}. It cannot be undone.`, yes);
    const operator = await api.delete<Operator>(`/operators/${id}`);
    print.one(operator, shownOperator(operator));
  },
});
