import { buildRouteMap } from '@stricli/core';

import { addOperator } from './add.ts';
import { editOperator } from './edit.ts';
import { endOperator } from './end.ts';
import { linkOperator } from './link.ts';
import { listOperators } from './list.ts';
import { showSessions } from './sessions.ts';
import { issueToken, listTokens, revokeToken } from './tokens.ts';

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
