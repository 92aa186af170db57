import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

import { settings } from '../../src/adapters/wiring/settings/settings.ts';
import { faultsOf } from '../support/typescript-blocks.ts';
import { root, textOf } from './source.ts';

const FOLDER = 'deploy/kubernetes';

const Labels = z.record(z.string(), z.string()).default({});
const Reference = z.object({ name: z.string() });
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const Container = z.object({
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  envFrom: z.array(z.union([z.object({ configMapRef: Reference }), z.object({ secretRef: Reference })])),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
});
const Pod = z.object({
  metadata: z.object({ labels: Labels }),
  spec: z.object({ terminationGracePeriodSeconds: z.number(), containers: z.tuple([Container]) }),
});
const Manifest = z.object({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
  stringData: z.record(z.string(), z.string()).default({}),
  spec: z.looseObject({}).default({}),
});
const Ingress = z.object({
  tls: z.array(z.object({ hosts: z.array(z.string()) })),
  rules: z.array(
    z.object({
      host: z.string(),
      http: z.object({
        paths: z.array(z.object({ backend: z.object({ service: Reference.extend({ port: Reference }) }) })),
      }),
    }),
  ),
});

const Document = z.looseObject({ apiVersion: z.string(), kind: z.string() });

const documents = readdirSync(join(root, FOLDER)).flatMap((file) =>
  parseAllDocuments(textOf(`${FOLDER}/${file}`)).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join(' ')}`);
    return Document.parse(document.toJS());
  }),
);
const manifests = documents.map((document) => Manifest.parse(document));
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const deployments = ofKind('Deployment').map(({ metadata: { name }, spec }) => {
  const { template } = z.object({ template: Pod }).parse(spec);
  const [container] = template.spec.containers;
  return { name, labels: template.metadata.labels, pod: template.spec, container, role: container.env[0]?.value };
});

/** Variables of the AWS SDK. They are not settings of Tenon. */
const OF_THE_SDK = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

/** Where kubernetes-types has a kind: the part of its apiVersion before the domain, and its version. */
const moduleOf = (apiVersion: string): string => {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? `core/${group}` : `${group.replace(/\.k8s\.io$/, '')}/${version}`;
};

/** Compiles if the manifest has the fields of the Kubernetes API, and no others. */
const programOf = (document: z.infer<typeof Document>): string =>
  `export const manifest: import('kubernetes-types/${moduleOf(document.apiVersion)}.js').${document.kind} = ${JSON.stringify(document)};`;

describe('the manifests of deploy/kubernetes', () => {
  it('have the fields of the Kubernetes API, and no others', () => {
    const misspelt = JSON.parse(JSON.stringify(documents).replaceAll('"readinessProbe"', '"readyProbe"')) as typeof documents;
    const faults = faultsOf([...documents, ...misspelt].map(programOf), join(root, 'test'));
    expect(faults).toEqual(deployments.map(() => expect.stringContaining('readyProbe')));
  });

  it('name no namespace', () => {
    expect(manifests.filter(({ metadata }) => 'namespace' in metadata)).toEqual([]);
  });

  it('set settings of the program only', () => {
    const names = [
      ...manifests.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData })),
      ...deployments.flatMap(({ container }) => container.env.map(({ name }) => name)),
    ];
    expect(names).toContain('DATABASE_URL');
    expect(names.filter((name) => !(name in settings) && !OF_THE_SDK.includes(name))).toEqual([]);
  });

  it('set what production requires', () => {
    const names = manifests.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData }));
    expect(names).toEqual(expect.arrayContaining(['DATABASE_URL', 'ADMIN_TOKEN', 'SECRET_KEYS']));
  });

  it('have a deployment for each role, with values that the settings accept', () => {
    expect(deployments.map(({ role }) => role)).toEqual(['api', 'worker']);
    for (const { container } of deployments)
      for (const { name, value } of container.env) settings[name as keyof typeof settings].schema.parse(value);
  });

  it.each(deployments)('$name takes its settings from what exists', ({ container }) => {
    const taken = container.envFrom.map((from) =>
      'secretRef' in from ? `Secret ${from.secretRef.name}` : `ConfigMap ${from.configMapRef.name}`,
    );
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(expect.arrayContaining(taken));
  });

  it.each(deployments)('$name is probed on a listener that its role has', ({ container, role }) => {
    const ports = container.ports.map(({ name }) => name);
    expect(ports).toEqual(role === 'worker' ? ['admin'] : ['http', 'admin']);
    const { startupProbe, livenessProbe, readinessProbe } = container;
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
    ]);
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) expect(ports).toContain(httpGet.port);
  });

  it.each(deployments)('$name has longer to stop than the 10 seconds that a stop may take', ({ pod }) => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(15);
  });

  it('lead the Ingress to the app API, never to the admin listener', () => {
    const [ingress] = ofKind('Ingress');
    const { rules, tls } = Ingress.parse(ingress?.spec);
    expect(rules.map(({ host }) => host)).toEqual(tls.flatMap(({ hosts }) => hosts));
    const services = rules.flatMap(({ http }) => http.paths.map(({ backend: { service } }) => [service.name, service.port.name]));
    expect(new Set(services.map(String))).toEqual(new Set(['tenon,http']));
    const service = ofKind('Service').find(({ metadata }) => metadata.name === 'tenon');
    expect(service?.spec).toMatchObject({ ports: [{ name: 'http', targetPort: 'http' }] });
  });

  it.each([...ofKind('Service'), ...ofKind('PodDisruptionBudget')])(
    '$kind $metadata.name selects pods that exist',
    ({ spec }) => {
      const { selector } = z
        .object({ selector: z.union([z.object({ matchLabels: Labels.unwrap() }), Labels.unwrap()]) })
        .parse(spec);
      const wanted = 'matchLabels' in selector && typeof selector.matchLabels === 'object' ? selector.matchLabels : selector;
      expect(deployments.some(({ labels }) => Object.entries(wanted).every(([name, value]) => labels[name] === value))).toBe(
        true,
      );
    },
  );
});
