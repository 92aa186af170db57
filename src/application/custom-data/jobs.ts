import type { PurgeRows } from '../../domain/background-work.ts';
import type { Ports } from '../../domain/ports/index.ts';

export const customDataPurges = ({ metaobjects }: Ports): readonly PurgeRows[] => [(limit) => metaobjects.purgeKept(limit)];
