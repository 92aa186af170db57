import type { z } from 'zod';

import type * as installRequests from './install-requests.ts';
import type * as platformApps from './platform-apps.ts';
import type * as consoles from './console-codes.ts';
import type * as installations from './installations.ts';
import type * as operators from './operators.ts';
import type * as signInMethods from './sign-in-methods.ts';
import type * as watchedInstallations from './watched-installations.ts';
import type * as stores from './stores.ts';
import type * as trials from './trials.ts';

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
export type TrialToken = z.output<typeof trials.trialToken>;
