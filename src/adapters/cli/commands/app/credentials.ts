import type { RotatedSecret, TrialToken } from '../../../http/answers.ts';
import { findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { APP_ARGUMENT, STORE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';

const parseSeconds = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new CommandFailure('expected a whole number of seconds', EXIT.usage);
  return Number(text);
};

const OVERLAP_FLAG = {
  kind: 'parsed',
  parse: parseSeconds,
  optional: true,
  placeholder: 'seconds',
  brief: 'How long the old secret stays valid; 0 revokes it immediately [the setting SECRET_OVERLAP_SECONDS]',
} as const;

export const ROTATION_FLAGS = { overlap: OVERLAP_FLAG, yes: YES_FLAG } as const;

interface Rotation {
  readonly overlap: number | undefined;
  readonly yes: boolean | undefined;
}

/** Asks before a rotation that gives the holders of the old secret no time to change it. */
export const confirmRevoking = async (context: CliContext, named: string, { overlap, yes }: Rotation): Promise<void> => {
  if (overlap !== 0) return;
  await confirm(context, `This revokes the present ${named} immediately. What uses it is refused.`, yes);
};

interface Kind {
  readonly path: string;
  readonly name: string;
  readonly example: string;
}

const rotating = ({ path, name, example }: Kind) =>
  adminCommand({
    docs: {
      brief: `Replace the ${name} of an app`,
      about: 'Shows the new secret once. The old one stays valid during the overlap.',
      examples: [example],
    },
    flags: { store: STORE_FLAG, ...ROTATION_FLAGS },
    positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
    run: async ({ api, print, context }, { store, overlap, yes }, named) => {
      const app = await findApp(api, named, store);
      await confirmRevoking(context, `${name} of ${plain(app.name)}`, { overlap, yes });
      const rotated = await api.post<RotatedSecret>(`/apps/${app.id}/${path}`, { overlapSeconds: overlap });
      print.one(rotated, { ...rotated });
      print.say('The new secret is not shown again.');
    },
  });

export const rotateClientSecret = rotating({
  path: 'rotate-client-secret',
  name: 'client secret',
  example: 'tenon app rotate-client-secret "Stock sync" --overlap 3600',
});

export const rotateSigningSecret = rotating({
  path: 'rotate-signing-secret',
  name: 'signing secret',
  example: 'tenon app rotate-signing-secret "Stock sync"',
});

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
