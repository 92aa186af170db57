import { REFUSED_BECAUSE } from '../../../../domain/insight/audit-refusal.ts';
import type { AuditedChange } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { firstItems } from '../../admin/lists.ts';
import { adminCommand } from '../../command.ts';
import { LIMIT_FLAG, switchFlag, textFlag, timeFlag, WIDE_FLAG } from '../../flags.ts';
import { findOperator } from '../operators/list.ts';

/** JSON has the code of the reason. */
const whyOf = ({ reason, count }: NonNullable<AuditedChange['refusal']>): string =>
  count > 1 ? `${REFUSED_BECAUSE[reason]} ${String(count)} in that hour so far.` : REFUSED_BECAUSE[reason];

export const showAudit = adminCommand({
  docs: {
    brief: 'List what operators changed, and refused changes and sign-ins',
    about:
      'Newest first. With --json, each line has what was there before and after. tenon verify checks the chain of the entries.',
    examples: ['tenon audit --since 7d', 'tenon audit --refused', 'tenon audit --operator "Ada Lovelace" --json'],
  },
  flags: {
    store: textFlag('Only changes of this store: its id or domain', 'store'),
    operator: textFlag('Only changes of this operator: the id or name', 'operator'),
    since: timeFlag('Changed since'),
    refused: switchFlag('Only refused changes and sign-ins'),
    limit: LIMIT_FLAG,
    ...WIDE_FLAG,
  },
  run: async ({ api, print }, { store, operator, since, refused, limit }) => {
    const query = {
      store: store === undefined ? undefined : (await findStore(api, store)).id,
      operator: operator === undefined ? undefined : (await findOperator(api, operator)).id,
      since,
      refused: refused === true ? '1' : undefined,
    };
    print.list(await firstItems<AuditedChange>(api, '/audit', query, limit), [
      { name: 'at', of: ({ at }) => at, kind: 'time' },
      { name: 'operator', of: (change) => change.operator },
      { name: 'change', of: ({ what }) => what, kind: 'whole' },
      { name: 'status', of: ({ outcome }) => outcome?.status ?? 'unknown', align: 'right' },
      { name: 'refused', of: ({ refusal }) => (refusal ? whyOf(refusal) : ''), drop: 4 },
      { name: 'way', of: ({ way }) => way, drop: 2 },
      { name: 'store', of: ({ storeId }) => storeId, kind: 'id', drop: 3 },
      { name: 'address', of: ({ address }) => address, drop: 1 },
    ]);
  },
});
