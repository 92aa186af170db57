import type { PlacedPage } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { found, ok } from '../../domain/result.ts';
import { createPlatformApp } from './create-platform-app.ts';
import { acceptInstall, describeInstallRequest, refuseInstall } from './decide-install.ts';
import { getOwnInstallation, requestInstall } from './request-install.ts';
import { rotatePlatformClientSecret, rotatePlatformSigningSecret } from './rotate-platform-secrets.ts';
import { updatePlatformApp } from './update-platform-app.ts';

interface PlatformSettings {
  readonly secretOverlapSeconds: number;
  readonly consentUrl: string;
}

/** An app that is made once, and its way into a store. */
export const platformApps = (ports: Ports, { secretOverlapSeconds, consentUrl }: PlatformSettings) => ({
  acceptInstall: acceptInstall(ports),
  createPlatformApp: createPlatformApp(ports),
  describeInstallRequest: describeInstallRequest(ports),
  getOwnInstallation: getOwnInstallation(ports),
  getPlatformApp: found('Platform app', ports.platformApps.get),
  listPlatformApps: async (page: PlacedPage) => ok(await ports.platformApps.list(page)),
  listPlatformInstallations: found('Platform app', ports.platformApps.installations),
  refuseInstall: refuseInstall(ports),
  requestInstall: requestInstall(ports, consentUrl),
  rotatePlatformClientSecret: rotatePlatformClientSecret(ports, secretOverlapSeconds),
  rotatePlatformSigningSecret: rotatePlatformSigningSecret(ports, secretOverlapSeconds),
  updatePlatformApp: updatePlatformApp(ports),
});
