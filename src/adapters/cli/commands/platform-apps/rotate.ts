import type { RotatedSecret } from '../../../http/schemas/answers.ts';
import { adminCommand } from '../../command.ts';
import { OVERLAP_FLAG } from '../app/rotate.ts';
import { findPlatformApp, PLATFORM_APP_ARGUMENT } from './shown.ts';

const rotating = (kind: 'client' | 'signing', example: string) =>
  adminCommand({
    docs: {
      brief: `Replace the ${kind} secret of a platform app`,
      about: 'For all stores at once. Shows the new secret once. The old one stays valid during the overlap.',
      examples: [example],
    },
    flags: { overlap: OVERLAP_FLAG },
    positional: { kind: 'tuple', parameters: [PLATFORM_APP_ARGUMENT] },
    run: async ({ api, print }, { overlap }, named) => {
      const { id } = await findPlatformApp(api, named);
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
