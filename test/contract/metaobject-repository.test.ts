import { openMemoryWorld, openPrismaWorld } from '../support/custom-data-world.ts';
import { metaobjectRepositoryContract } from './metaobject-repository.contract.ts';

metaobjectRepositoryContract('memory', openMemoryWorld);
metaobjectRepositoryContract('prisma', openPrismaWorld);
