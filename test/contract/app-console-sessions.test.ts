import { appConsoleSessionsContract } from './app-console-sessions.contract.ts';
import { identityWorlds } from './identity-worlds.ts';

appConsoleSessionsContract('memory', identityWorlds.memory);
appConsoleSessionsContract('prisma', identityWorlds.prisma);
