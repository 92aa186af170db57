import { buildRouteMap } from '@stricli/core';

import { addOperator, editOperator, endOperator } from './edit.ts';
import { listOperators } from './list.ts';
import { showSessions } from './sessions.ts';
import { linkOperator, issueToken, listTokens, revokeToken } from './tokens.ts';

export const operatorCommands = buildRouteMap({
  routes: {
    list: listOperators,
    add: addOperator,
    edit: editOperator,
    end: endOperator,
    link: linkOperator,
    token: issueToken,
    tokens: listTokens,
    revoke: revokeToken,
    sessions: showSessions,
  },
  docs: { brief: 'People and machines with access to the admin API' },
});
