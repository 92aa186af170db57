import type { z } from 'zod';

import type * as installRequests from './install-request.ts';
import type * as platformApps from './platform-app.ts';
import type * as consoles from './console-code.ts';
import type * as installations from './installation.ts';
import type * as operators from './operator.ts';
import type * as signInMethods from './sign-in-method.ts';
import type * as watchedInstallations from './watched-installation.ts';
import type * as stores from './store.ts';
import type * as trials from './trial-request.ts';
import type * as trialTokens from './trial-token.ts';

export type AcceptedInstall = z.output<typeof installRequests.acceptedInstall>;
export type AskedScope = InstallRequest['scopes'][number];
export type InstallRequest = z.output<typeof installRequests.installRequest>;
export type PlatformApp = z.output<typeof platformApps.platformApp>;
export type RefusedInstall = z.output<typeof installRequests.refusedInstall>;
export type RegisteredApp = z.output<typeof platformApps.registeredApp>;
export type AppConsoleLink = z.output<typeof consoles.appConsoleLink>;
export type Installation = z.output<typeof installations.installation>;
export type InstalledApp = z.output<typeof installations.installedApp>;
export type CallingOperator = z.output<typeof operators.callingOperator>;
export type ConsoleSession = z.output<typeof operators.sessionList>['items'][number];
export type IssuedOperatorToken = z.output<typeof operators.issuedOperatorToken>;
export type Operator = z.output<typeof operators.operator>;
export type OperatorToken = z.output<typeof operators.operatorToken>;
export type PasskeyChallenge = z.output<typeof signInMethods.passkeyChallenge>;
export type SignInMethod = z.output<typeof signInMethods.signInMethod>;
export type WatchedInstallation = z.output<typeof watchedInstallations.watchedInstallation>;
export type Store = z.output<typeof stores.store>;
export type StoreErasure = z.output<typeof stores.storeErasure>;
export type TrialResponse = z.output<typeof trials.trialResponse>;
export type UninstallPreview = z.output<typeof installations.uninstallPreview>;
export type RotatedSecret =
  z.output<typeof installations.rotatedClientSecret> | z.output<typeof installations.rotatedSigningSecret>;
export type ConsoleCode = z.output<typeof consoles.consoleCode>;
export type TrialToken = z.output<typeof trialTokens.trialToken>;
