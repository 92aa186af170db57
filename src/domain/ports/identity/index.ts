import type { Admission } from './admission.ts';
import type { AppConsoleSessions } from './app-console-sessions.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import type { DeveloperSessions } from './developer-sessions.ts';
import type { InstallRequests } from './install-requests.ts';
import type { InstallationRepository } from './installation-repository.ts';
import type { OperatorRepository } from './operator-repository.ts';
import type { OperatorTokens } from './operator-tokens.ts';
import type { PlatformAppRepository } from './platform-app-repository.ts';
import type { SandboxRecords } from './sandbox-records.ts';
import type { SignInMethods } from './sign-in-methods.ts';
import type { StoreErasure } from './store-erasure.ts';
import type { StoreRepository } from './store-repository.ts';
import type { TokenRepository } from './token-repository.ts';

export interface IdentityPorts {
  readonly admission: Admission;
  readonly appConsoleSessions: AppConsoleSessions;
  readonly consoleSessions: ConsoleSessions;
  readonly developerSessions: DeveloperSessions;
  readonly installRequests: InstallRequests;
  readonly installations: InstallationRepository;
  readonly operatorTokens: OperatorTokens;
  readonly operators: OperatorRepository;
  readonly platformApps: PlatformAppRepository;
  readonly sandboxRecords: SandboxRecords;
  readonly signInMethods: SignInMethods;
  readonly storeErasure: StoreErasure;
  readonly stores: StoreRepository;
  readonly tokens: TokenRepository;
}
