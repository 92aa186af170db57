import type { Ports } from '../../domain/ports/index.ts';
import { authenticate, authenticateOperator, authenticateSession } from './authenticate.ts';
import { revokeTokens, rotateClientSecret, rotateSigningSecret, updateInstallation } from './change-installation.ts';
import { createAppConsoleCode } from './create-app-console-code.ts';
import { createConsoleCode } from './create-console-code.ts';
import { describeCaller } from './describe-caller.ts';
import { eraseStore, isBeingErased } from './erase-store.ts';
import { exchangeToken } from './exchange-token.ts';
import { installApp } from './install-app.ts';
import { issueTrialToken } from './issue-trial-token.ts';
import { identityLookups } from './lookups.ts';
import { operatorUses } from './operators.ts';
import { platformApps, type JudgeUrl, type PlatformSettings } from './platform-apps.ts';
import { lookAtAppCode, signInApp } from './sign-in-app.ts';
import { signInMethodUses } from './sign-in-methods.ts';
import { lookAtCode, lookAtSession, signIn, signOut, signOutApp, useSession } from './sign-in.ts';
import { storeChanges } from './store-changes.ts';
import { uninstallApp } from './uninstall-app.ts';

export interface IdentitySettings extends PlatformSettings {
  readonly adminToken: string;
}

export const identityUses = (ports: Ports, settings: IdentitySettings, judge: JudgeUrl) => ({
  ...identityLookups(ports),
  ...operatorUses(ports, settings.adminToken),
  ...platformApps(ports, settings, judge),
  ...signInMethodUses(ports, settings.adminToken),
  ...storeChanges(ports, settings.sandboxDomain),
  authenticate: authenticate(ports),
  authenticateOperator: authenticateOperator(ports),
  authenticateSession: authenticateSession(ports),
  createAppConsoleCode: createAppConsoleCode(ports, settings.appConsoleUrl),
  createConsoleCode: createConsoleCode(ports, settings.adminToken),
  describeCaller: describeCaller(ports),
  eraseStore: eraseStore(ports),
  exchangeToken: exchangeToken(ports),
  installApp: installApp(ports),
  isBeingErased: isBeingErased(ports),
  issueTrialToken: issueTrialToken(ports),
  lookAtAppCode: lookAtAppCode(ports),
  lookAtCode: lookAtCode(ports, settings.adminToken),
  lookAtSession: lookAtSession(ports, settings.adminToken),
  revokeTokens: revokeTokens(ports),
  rotateClientSecret: rotateClientSecret(ports, settings.secretOverlapSeconds),
  rotateSigningSecret: rotateSigningSecret(ports, settings.secretOverlapSeconds),
  signIn: signIn(ports, settings.adminToken),
  signInApp: signInApp(ports),
  signOut: signOut(ports),
  signOutApp: signOutApp(ports),
  uninstallApp: uninstallApp(ports),
  updateInstallation: updateInstallation(ports),
  useSession: useSession(ports, settings.adminToken),
});
