import { admissionContract } from './admission.contract.ts';
import { identityWorlds } from './identity-worlds.ts';

admissionContract('memory', identityWorlds.memory);
admissionContract('prisma', identityWorlds.prisma);
