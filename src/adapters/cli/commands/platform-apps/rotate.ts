import type { RotatedSecret } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { plain } from '../../output/style.ts';
import { confirmRevoking, ROTATION_FLAGS } from '../app/rotate.ts';
import { findPlatformApp, PLATFORM_APP_ARGUMENT } from './shown.ts';

const rotating = (kind: 'client' | 'signing', example: string) =>
  adminCommand({
    docs: {
      brief: `Replace the ${kind} secret of a platform app`,
      about: 'For all stores at once. Shows the new secret once. The old one stays valid during the overlap.',
      examples: [example],
    },
    flags: ROTATION_FLAGS,
    positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
    run: async ({ api, print, context }, { overlap, yes }, named) => {
      const { id, name } = await findPlatformApp(api, named);
      await confirmRevoking(context, `${kind} secret of ${plain(name)}`, { overlap, yes });
      const rotated = await api.post<RotatedSecret>(`/platform-apps/${id}/rotate-${kind}-secret`, { overlapSeconds: overlap });
      print.one(rotated, { ...rotated });
      print.say('The new secret is not shown again.');
    },
  });

export const rotatePlatformClientSecret = rotating(
  'client',
  'tenon platform-apps rotate-client-secret "Stock sync" --overlap 3600',
);
export const rotatePlatformSigningSecret = rotating('signing', 'tenon platform-apps rotate-signing-secret "Stock sync"');
