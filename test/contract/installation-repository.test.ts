import { identityWorlds } from './identity-worlds.ts';
import { installationRepositoryContract } from './installation-repository.contract.ts';

installationRepositoryContract('memory', identityWorlds.memory);
installationRepositoryContract('prisma', identityWorlds.prisma);
