import { catalogueWorlds } from './catalogue-worlds.ts';
import { collectionRepositoryContract } from './collection-repository.contract.ts';

for (const [name, open] of catalogueWorlds) collectionRepositoryContract(name, open);
