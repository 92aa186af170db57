import type { TrialToken } from '../../../http/answers.ts';
import { findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { APP_ARGUMENT, STORE_FLAG } from '../../flags.ts';

export const makeToken = adminCommand({
  docs: {
    brief: 'Create an access token to try the API as an app',
    about: 'The token has the scopes of the app and is valid for ten minutes. In a pipe, only the token is written.',
    examples: ['tenon app token "Demo app"', 'TOKEN=$(tenon app token "Demo app")'],
  },
  flags: { store: STORE_FLAG },
  positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
  run: async ({ api, print }, { store }, named) => {
    const { id } = await findApp(api, named, store);
    const token = await api.post<TrialToken>(`/apps/${id}/tokens`);
    if (print.isForPeople) print.one(token, { ...token, scopes: token.scopes.join(' ') });
    else print.bare(token, token.accessToken);
  },
});
