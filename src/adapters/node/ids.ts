import { randomBytes } from 'node:crypto';
import { v5 } from 'uuid';

import type { Clock } from '../../domain/ports/clock.ts';
import type { Ids } from '../../domain/ports/ids.ts';

const COUNTER_END = 0x1000;
/**
 * The random bytes of 256 ids. Fetching them for each id took a seventh of the time of an import in
 * this process.
 */
const POOL_BYTES = 4096;

/**
 * UUIDs of version 7 (RFC 9562): milliseconds, a 12-bit counter within them, and 62 random bits.
 * When the clock does not advance, the counter does, and a full counter borrows from the next
 * millisecond. So later ids always sort after earlier ones. `v7` of uuid promises the same, and
 * takes six times as long: 3.2 us for an id in place of 0.5. It also reads the clock of the system.
 */
export const timeOrderedIds = (clock: Clock): Ids => {
  let millisecond = 0;
  let counter = 0;
  let pool = Buffer.alloc(0);
  let used = POOL_BYTES;
  return {
    named: (namespace, name) => v5(name, namespace),
    next: () => {
      const now = clock.now();
      if (now > millisecond) {
        millisecond = now;
        counter = 0;
      } else {
        counter += 1;
        if (counter === COUNTER_END) {
          millisecond += 1;
          counter = 0;
        }
      }
      if (used === POOL_BYTES) {
        pool = randomBytes(POOL_BYTES);
        used = 0;
      }
      const bytes = pool.subarray(used, (used += 16));
      bytes.writeUIntBE(millisecond, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
      const hex = bytes.toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
};
