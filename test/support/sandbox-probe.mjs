// Runs in the place of the image decoder, and reports what it may do there.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

const [sharpUrl = '', path = ''] = process.argv.slice(2);
const outcomeOf = (work) => {
  try {
    work();
    return 'allowed';
  } catch (error) {
    return error.code ?? String(error);
  }
};
const { default: sharp } = await import(sharpUrl);
const { width } = await sharp(path).metadata();
const outcomes = {
  sharp: width,
  image: outcomeOf(() => readFileSync(path)),
  passwd: outcomeOf(() => readFileSync('/etc/passwd')),
  'the environment of its parent': outcomeOf(() => readFileSync(`/proc/${process.ppid}/environ`)),
  'a file beside the image': outcomeOf(() => readFileSync(join(dirname(path), 'secrets.json'))),
  'the folder of the image': outcomeOf(() => readdirSync(dirname(path))),
  'writing the image': outcomeOf(() => writeFileSync(path, 'x')),
  'a child process': outcomeOf(() => execFileSync('true')),
  'a thread': outcomeOf(() => new Worker('1', { eval: true })),
  variables: Object.keys(process.env).sort().join(),
};
process.stdout.write(JSON.stringify({ width: outcomes }), () => process.exit());
