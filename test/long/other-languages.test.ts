import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventOf, signedRequest } from '../../clients/typescript/src/testing.ts';
import { textOf } from '../architecture/source.ts';
import { openApp, type OpenApp, type TestApp } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';

const PRODUCTS = Array.from({ length: 3 }, (_, index) => ({ name: `Saw ${String(index)}`, slug: `saw-${String(index)}` }));

/** A server of Rack for one request: it gives the app one request, and prints the status. */
const RACK = String.raw`
def run(app) = $app = app
load ARGV[0]
require 'stringio'
env = ENV.select { |name,| name.start_with?('HTTP_') }.merge('rack.input' => StringIO.new($stdin.read))
puts "status #{$app.call(env)[0]}"
`;

interface Language {
  readonly command: string;
  readonly client: string;
  /** A server of its own. In Ruby's library there is no server. */
  readonly receiver: string | null;
  /** The arguments that run a file, as a server on this port where it is one. */
  readonly run: (file: string, port?: string) => readonly string[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  python: { command: 'python3', client: 'client.py', receiver: 'receiver.py', run: (file) => [file] },
  go: { command: 'go', client: 'client.go', receiver: 'receiver.go', run: (file) => ['run', file] },
  php: {
    command: 'php',
    client: 'client.php',
    receiver: 'receiver.php',
    run: (file, port) => (port === undefined ? [file] : ['-S', `127.0.0.1:${port}`, file]),
  },
  ruby: { command: 'ruby', client: 'client.rb', receiver: null, run: (file) => [file] },
};

const isThere = ({ command }: Language): boolean => spawnSync(command, [command === 'go' ? 'version' : '--version']).status === 0;

let app: OpenApp;
let shop: TestApp;
let folder: string;
let env: Readonly<Record<string, string | undefined>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-languages-'));
  for (const [, text = '', name = ''] of textOf('docs/other-languages.md').matchAll(
    /^```\w+\n((?:<\?php )?(?:#|\/\/) ([a-z]+\.[a-z]+).*?)^```/gms,
  ))
    writeFileSync(join(folder, name), text);
  app = await openApp();
  shop = await app.anApp(await app.aStore());
  await app.importProducts(shop.store, PRODUCTS);
  env = {
    ...process.env,
    ...{ SHOP: app.url, STORE: shop.store.domain, CLIENT_ID: shop.clientId, CLIENT_SECRET: shop.clientSecret },
    SIGNING_SECRET: shop.signingSecret,
    GOCACHE: join(folder, 'go-cache'),
  };
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const deliver = async (url: string, secret: string): Promise<Request> => signedRequest(eventOf('product.updated'), secret, url);

/** The status of a delivery, once the server listens. */
const statusOf = async (delivery: Request): Promise<number> => {
  const body = await delivery.text();
  for (;;) {
    const answer = await fetch(delivery.url, { method: 'POST', headers: delivery.headers, body }).catch(() => null);
    if (answer !== null) return answer.status;
  }
};

const OTHER_SECRET = `whsec_${btoa('x'.repeat(24))}`;

describe.each(Object.entries(LANGUAGES))('the programs of docs/other-languages.md in %s', (_name, language) => {
  const { command, client, receiver, run } = language;

  // A machine without the interpreter skips them, and the report says so.
  it.skipIf(!isThere(language))('get a token, list, update under a key, and read the feed', async () => {
    const { stdout } = await promisify(execFile)(command, run(join(folder, client)), { env });
    expect(stdout.split('\n').slice(0, 2)).toEqual([`products ${String(PRODUCTS.length)}`, 'updated 1']);
    expect(stdout).toContain('event product.created');
    const again = await promisify(execFile)(command, run(join(folder, client)), { env });
    expect(again.stdout).toContain('updated 1');
  });

  if (receiver === null) return;

  it.skipIf(!isThere(language))('receive what is signed, and nothing else', async () => {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}/`;
    const server = spawn(command, run(join(folder, receiver), port), {
      env: { ...env, PORT: port },
      stdio: 'ignore',
      detached: true,
    });
    try {
      expect(await statusOf(await deliver(url, shop.signingSecret))).toBe(204);
      expect(await statusOf(await deliver(url, OTHER_SECRET))).toBe(400);
    } finally {
      // `go run` has a child, so the whole group ends.
      process.kill(-server.pid!, 'SIGKILL');
    }
  });
});

it.skipIf(!isThere(LANGUAGES['ruby']!))('the receiver in ruby takes what is signed, and nothing else', async () => {
  writeFileSync(join(folder, 'rack.rb'), RACK);
  const answered = async (secret: string): Promise<string> => {
    const delivery = await deliver('http://127.0.0.1/', secret);
    const headers = [...delivery.headers].map(([header, value]) => [`HTTP_${header.toUpperCase().replaceAll('-', '_')}`, value]);
    const input = await delivery.text();
    const { stdout } = spawnSync('ruby', [join(folder, 'rack.rb'), join(folder, 'config.ru')], {
      env: { ...env, ...Object.fromEntries(headers) } as NodeJS.ProcessEnv,
      input,
      encoding: 'utf8',
    });
    return stdout;
  };
  expect(await answered(shop.signingSecret)).toBe('received product.updated\nstatus 204\n');
  expect(await answered(OTHER_SECRET)).toBe('status 400\n');
});
