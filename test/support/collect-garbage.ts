import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** The `gc` of `node --expose-gc`, in a process that was started without it. */
export const collectGarbage = runInNewContext('gc') as () => void;
