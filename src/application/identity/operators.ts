import type { OperatorToken } from '../../domain/ports/identity/operator-tokens.ts';
import type { PlacedPage } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { orNotFound, notFound, ok, type Result } from '../../domain/result.ts';
import { inviteOperator } from './create-console-code.ts';
import { createOperator } from './create-operator.ts';
import { issueOperatorToken } from './issue-operator-token.ts';
import { updateOperator } from './update-operator.ts';

/** The people and machines beside the holder of the admin token, and their ways in. */
export const operatorUses = (ports: Ports, adminToken: string) => {
  const { consoleSessions, operators, operatorTokens, secrets } = ports;
  return {
    createOperator: createOperator(ports),
    /** Ends the operator for good, from the next request on every node. */
    endOperator: orNotFound('Operator', operators.end),
    endConsoleSession: async (id: string): Promise<Result<null, 'not_found'>> =>
      (await consoleSessions.endById(id)) ? ok(null) : notFound('Session'),
    getOperator: orNotFound('Operator', operators.get),
    inviteOperator: inviteOperator(ports, adminToken),
    issueOperatorToken: issueOperatorToken(ports),
    listConsoleSessions: async () => ok(await consoleSessions.list(secrets.hashClientSecret(adminToken))),
    listOperators: async (page: PlacedPage) => ok(await operators.list(page)),
    listOperatorTokens: async (operatorId: string): Promise<Result<readonly OperatorToken[], 'not_found'>> =>
      (await operators.get(operatorId)) === null ? notFound('Operator') : ok(await operatorTokens.list(operatorId)),
    revokeOperatorToken: async (operatorId: string, id: string): Promise<Result<null, 'not_found'>> =>
      (await operatorTokens.revoke(operatorId, id)) ? ok(null) : notFound('Token'),
    updateOperator: updateOperator(ports),
  };
};
