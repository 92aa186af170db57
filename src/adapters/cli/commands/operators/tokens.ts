import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { IssuedOperatorToken, OperatorToken, ConsoleCode } from '../../../http/answers.ts';
import { withIdPrefix } from '../../admin/id-prefix.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { textFlag, WIDE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import type { TableColumn } from '../../output/table.ts';
import { findOperator, OPERATOR_ARGUMENT } from './list.ts';

interface OperatorTokens {
  readonly items: readonly OperatorToken[];
}

const COLUMNS: readonly TableColumn<OperatorToken>[] = [
  { name: 'id', of: ({ id }) => id, kind: 'id' },
  { name: 'name', of: ({ name }) => name },
  { name: 'created', of: ({ createdAt }) => createdAt, kind: 'time', drop: 1 },
  { name: 'expires', of: ({ expiresAt }) => expiresAt ?? 'never', drop: 2 },
  { name: 'last used', of: ({ lastUsedAt }) => lastUsedAt, kind: 'time' },
];

export const issueToken = adminCommand({
  docs: {
    brief: 'Create a token for an operator',
    about:
      'The token is shown once. In a pipe, only the token is written. Set it as TENON_ADMIN_TOKEN, or paste it into the console.',
    examples: ['tenon operators token deploy', 'tenon operators token deploy --name ci --expires 2027-01-01'],
  },
  flags: {
    name: textFlag('Name of the token; the name of the operator by default', 'name'),
    expires: textFlag('ISO 8601 time at which it expires; never by default', 'time'),
  },
  positional: { kind: 'tuple', parameters: [OPERATOR_ARGUMENT] },
  run: async ({ api, print }, { name, expires }, named) => {
    const expiry = expires === undefined ? null : Date.parse(expires);
    if (Number.isNaN(expiry)) throw new CommandFailure('--expires must be a time such as 2027-01-01T00:00:00Z.', EXIT.usage);
    const operator = await findOperator(api, named);
    const expiresAt = expiry === null ? null : new Date(expiry).toISOString();
    const asked = { name: name ?? operator.name, expiresAt };
    const token = await api.post<IssuedOperatorToken>(`/operators/${operator.id}/tokens`, asked);
    if (!print.isForPeople) {
      print.bare(token, token.token);
      return;
    }
    print.one(token, { ...token });
    print.say('The token is not shown again.');
  },
});

export const listTokens = adminCommand({
  docs: { brief: 'List the tokens of an operator', examples: ['tenon operators tokens deploy'] },
  flags: WIDE_FLAG,
  positional: { kind: 'tuple', parameters: [OPERATOR_ARGUMENT] },
  run: async ({ api, print }, _flags, named) => {
    const { id } = await findOperator(api, named);
    print.list((await api.get<OperatorTokens>(`/operators/${id}/tokens`)).items, COLUMNS);
  },
});

export const revokeToken = adminCommand({
  docs: {
    brief: 'Revoke a token of an operator',
    about: 'The token is refused from the next request.',
    examples: ['tenon operators revoke deploy 019a3c5e --yes'],
  },
  flags: { yes: YES_FLAG },
  positional: {
    kind: 'tuple',
    parameters: [OPERATOR_ARGUMENT, { parse: String, placeholder: 'token', brief: 'Id of the token, or its beginning' }],
  },
  run: async ({ api, print, context }, { yes }, named, token) => {
    const operator = await findOperator(api, named);
    const path = `/operators/${operator.id}/tokens`;
    const { items } = await api.get<OperatorTokens>(path);
    const found = items.find(({ id }) => id === parseUuid(token)) ?? withIdPrefix(items, token);
    if (found === undefined) {
      throw new CommandFailure(`${operator.name} has no token ${token}. See tenon operators tokens.`, EXIT.notFound);
    }
    await confirm(context, `This revokes the token ${plain(found.name)} of ${plain(operator.name)}.`, yes);
    await api.delete(`${path}/${found.id}`);
    print.bare({ id: found.id }, found.id);
  },
});

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
