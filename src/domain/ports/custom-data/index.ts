import type { MetaobjectRepository } from './metaobject-repository.ts';

export interface CustomDataPorts {
  readonly metaobjects: MetaobjectRepository;
}
