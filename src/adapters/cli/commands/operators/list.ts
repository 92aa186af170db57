import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { Operator } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { all, findStore, pages } from '../../admin/find.ts';
import { withIdPrefix, isIdPrefix } from '../../admin/id-prefix.ts';
import { adminCommand } from '../../command.ts';
import { operatorNames, storeDomains } from '../../completions.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { WIDE_FLAG } from '../../flags.ts';
import type { Cell, TableColumn } from '../../output/table.ts';

const storesOf = ({ storeIds }: Operator): string => storeIds?.join(' ') ?? 'all';

const OPERATOR_COLUMNS: readonly TableColumn<Operator>[] = [
  { name: 'id', of: ({ id }) => id, kind: 'id' },
  { name: 'name', of: ({ name }) => name },
  { name: 'role', of: ({ role }) => role },
  { name: 'stores', of: storesOf, drop: 2 },
  { name: 'email', of: ({ email }) => email, drop: 1 },
  { name: 'ended', of: ({ endedAt }) => endedAt, kind: 'time' },
];

export const shownOperator = (operator: Operator): Readonly<Record<string, Cell>> => ({
  ...operator,
  storeIds: storesOf(operator),
});

export const OPERATOR_ARGUMENT = {
  parse: String,
  placeholder: 'operator',
  brief: 'Id or name of the operator',
  proposeCompletions: operatorNames,
} as const;

export const STORES_FLAG = {
  kind: 'parsed',
  parse: String,
  variadic: ',',
  optional: true,
  placeholder: 'stores',
  proposeCompletions: storeDomains,
  brief: 'Ids or domains of the only stores the operator reaches, comma-separated',
} as const;

/** The operator that a person means: by the id, its beginning, or the name. One who has ended is found by the id alone. */
export const findOperator = async (api: AdminApi, named: string): Promise<Operator> => {
  const id = parseUuid(named);
  if (id !== null) return api.get<Operator>(`/operators/${id}`);
  const operators = await all(pages<Operator>(api, '/operators'));
  const found =
    operators.find(({ name, endedAt }) => name === named && endedAt === null) ??
    (isIdPrefix(named) ? withIdPrefix(operators, named) : undefined);
  if (found) return found;
  throw new CommandFailure(`There is no operator ${named}. See tenon operators list.`, EXIT.notFound);
};

export const storeIdsOf = async (api: AdminApi, named: readonly string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const one of named) ids.push((await findStore(api, one)).id);
  return ids;
};

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
