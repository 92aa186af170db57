import { catalogueWorlds } from './catalogue-worlds.ts';
import { taxClassRepositoryContract } from './tax-class-repository.contract.ts';

for (const [name, open] of catalogueWorlds) taxClassRepositoryContract(name, open);
