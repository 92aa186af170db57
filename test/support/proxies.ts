import { spawn, spawnSync } from 'node:child_process';
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root } from '../architecture/source.ts';
import { AUTHORITY, CERTIFICATE, KEY } from './certificates.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

export const PROXIES = ['nginx', 'caddy', 'haproxy'] as const;
export type ProxyName = (typeof PROXIES)[number];

/** Returns true if the proxy is installed. Under CI=true it must be, so that its tests fail and don't go missing. */
export const proxyAvailable = (name: ProxyName): boolean =>
  !spawnSync(name, [name === 'caddy' ? 'version' : '-v']).error || process.env['CI'] === 'true';

export interface Proxy {
  readonly url: string;
  /** The output of the proxy so far. */
  readonly said: () => string;
  stop(): Promise<void>;
}

interface Behind {
  /** Host and port of the public listener of each node. */
  readonly nodes: readonly [string, string];
  readonly domain: string;
}

interface Place extends Behind {
  readonly port: number;
  readonly directory: string;
}

const shipped = (path: string): Promise<string> => readFile(join(root, 'deploy', path), 'utf8');

/** The file with what its comments tell an operator to change. Throws where it does not have one of the texts. */
const changed = (text: string, changes: readonly (readonly [string | RegExp, string])[]): string =>
  changes.reduce((file, [from, to]) => {
    if (!(typeof from === 'string' ? file.includes(from) : from.test(file))) throw new Error(`The file has no ${String(from)}.`);
    return file.replaceAll(from, to);
  }, text);

const nginx = async ({ nodes, domain, port, directory }: Place) => {
  const file = changed(await shipped('nginx.conf'), [
    ['server 127.0.0.1:4000', `server ${nodes[0]}`],
    ['# server 10.0.0.12:4000', `server ${nodes[1]}`],
    [/listen 443/g, `listen 127.0.0.1:${String(port)}`],
    [/listen \[::\]:443.*\n/g, ''],
    ['shop.example.com', domain],
    [/ssl_certificate .*;/g, `ssl_certificate ${directory}/certificate.pem;`],
    [/ssl_certificate_key .*;/g, `ssl_certificate_key ${directory}/key.pem;`],
  ]);
  await writeFile(join(directory, 'tenon.conf'), file);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`);
  const main = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `daemon off; pid ${directory}/nginx.pid; error_log stderr; worker_processes 1; events { worker_connections 1024; }`,
    `http { access_log off; ${temporary.join(' ')} include ${directory}/tenon.conf; }`,
  ];
  await writeFile(join(directory, 'nginx.conf'), main.join('\n'));
  return ['nginx', '-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')];
};

const caddy = async ({ nodes, domain, port, directory }: Place) => {
  const file = changed(await shipped('Caddyfile'), [
    [
      'reverse_proxy 127.0.0.1:4000 {',
      `tls ${directory}/certificate.pem ${directory}/key.pem\n\treverse_proxy ${nodes.join(' ')} {`,
    ],
    ['shop.example.com {', `${domain}:${String(port)} {`],
    ['admin.example.com {', 'http://admin.example.com:{$ADMIN_PORT} {'],
  ]);
  await writeFile(join(directory, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${file}`);
  return ['caddy', 'run', '--config', join(directory, 'Caddyfile'), '--adapter', 'caddyfile'];
};

const haproxy = async ({ nodes, port, directory }: Place) => {
  const file = changed(await shipped('haproxy.cfg'), [
    ['127.0.0.1:4000', nodes[0]],
    [/# server b 10\.0\.0\.12:4000/g, `server b ${nodes[1]}`],
    [/bind :443 .*\n/g, `bind 127.0.0.1:${String(port)} ssl crt ${directory}/both.pem\n`],
  ]);
  await writeFile(join(directory, 'haproxy.cfg'), file);
  return ['haproxy', '-db', '-f', join(directory, 'haproxy.cfg')];
};

const COMMANDS = { nginx, caddy, haproxy };

const listens = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });

/** The proxy with the file of deploy/, before two nodes of the machine. Its certificate is of receiver.example.com. */
export const startProxy = async (name: ProxyName, behind: Behind): Promise<Proxy> => {
  const directory = await mkdtemp(join(tmpdir(), `tenon-${name}-`));
  const port = await freePort();
  await writeFile(join(directory, 'certificate.pem'), CERTIFICATE + AUTHORITY);
  await writeFile(join(directory, 'key.pem'), KEY);
  await writeFile(join(directory, 'both.pem'), CERTIFICATE + AUTHORITY + KEY);
  const [file = '', ...args] = await COMMANDS[name]({ ...behind, port, directory });
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: directory, XDG_DATA_HOME: directory, ADMIN_PORT: String(await freePort()) };
  const child = spawn(file, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text: Buffer) => (said += text.toString()));
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  const failed = ended.then(() => Promise.reject(new Error(`${name} ended: ${said}`)));
  failed.catch(() => undefined);
  await Promise.race([eventually(() => listens(port)), failed]);
  return {
    url: `https://127.0.0.1:${String(port)}`,
    said: () => said,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
};
