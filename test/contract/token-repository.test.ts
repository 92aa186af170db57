import { identityWorlds } from './identity-worlds.ts';
import { tokenRepositoryContract } from './token-repository.contract.ts';

tokenRepositoryContract('memory', identityWorlds.memory);
tokenRepositoryContract('prisma', identityWorlds.prisma);
