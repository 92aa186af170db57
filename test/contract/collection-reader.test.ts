import { catalogueWorlds } from './catalogue-worlds.ts';
import { collectionReaderContract } from './collection-reader.contract.ts';

for (const [name, open] of catalogueWorlds) collectionReaderContract(name, open);
