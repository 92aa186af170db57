'use strict';
// Loaded before anything that an old Node.js cannot read: it has only what every version since 4 reads.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- Node.js loads it by --require, before any module.
const least = require('../package.json').engines.node.replace('>=', '');

const own = String(process.versions.node);
const wanted = least.split('.').map(Number);
const present = own.split('.').map(Number);
if (present[0] < wanted[0] || (present[0] === wanted[0] && present[1] < wanted[1])) {
  process.stderr.write(`tenon: Node.js ${own} is too old. Install ${least} or later.\n`);
  process.exit(1);
}
