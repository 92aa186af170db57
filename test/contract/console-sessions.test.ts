import { consoleSessionsContract } from './console-sessions.contract.ts';
import { identityWorlds } from './identity-worlds.ts';

consoleSessionsContract('memory', identityWorlds.memory);
consoleSessionsContract('prisma', identityWorlds.prisma);
