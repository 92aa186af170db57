import type { PlacedPage } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { orNotFound, ok } from '../../domain/result.ts';
import type { AppConsoleUrl } from './create-app-console-code.ts';
import { createPlatformApp, type JudgeUrl } from './create-platform-app.ts';
import { acceptInstall, describeInstallRequest, refuseInstall } from './decide-install.ts';
import { createDeveloperCode, useDeveloperSession } from './developer-sessions.ts';
import { getOwnInstallation, requestInstall } from './request-install.ts';
import { rotatePlatformClientSecret, rotatePlatformSigningSecret } from './rotate-platform-secrets.ts';
import { watchInstallations } from './watch-installations.ts';
import { updatePlatformApp } from './update-platform-app.ts';

interface PlatformSettings {
  readonly secretOverlapSeconds: number;
  readonly consentUrl: string;
  readonly appConsoleUrl: AppConsoleUrl;
  readonly sandboxDomain: string | null;
}

/** An app that is made once, and its way into a store. */
export const platformApps = (ports: Ports, settings: PlatformSettings, judge: JudgeUrl) => ({
  acceptInstall: acceptInstall(ports),
  createDeveloperCode: createDeveloperCode(ports, settings.appConsoleUrl, settings.sandboxDomain),
  createPlatformApp: createPlatformApp(ports, judge),
  describeInstallRequest: describeInstallRequest(ports),
  getOwnInstallation: getOwnInstallation(ports),
  getPlatformApp: orNotFound('Platform app', ports.platformApps.get),
  listPlatformApps: async (page: PlacedPage) => ok(await ports.platformApps.list(page)),
  listPlatformInstallations: orNotFound('Platform app', ports.platformApps.installations),
  refuseInstall: refuseInstall(ports),
  requestInstall: requestInstall(ports, settings.consentUrl),
  rotatePlatformClientSecret: rotatePlatformClientSecret(ports, settings.secretOverlapSeconds),
  rotatePlatformSigningSecret: rotatePlatformSigningSecret(ports, settings.secretOverlapSeconds),
  updatePlatformApp: updatePlatformApp(ports, judge),
  useDeveloperSession: useDeveloperSession(ports),
  watchInstallations: watchInstallations(ports),
});
