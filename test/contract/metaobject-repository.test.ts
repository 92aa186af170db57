import { openMemoryWorld, openPrismaWorld } from '../support/custom-data-world.ts';
import { metaobjectRepositoryContract } from './metaobject-repository.contract.ts';

metaobjectRepositoryContract('memory', openMemoryWorld, { waits: false });
metaobjectRepositoryContract('prisma', openPrismaWorld, { waits: true });
