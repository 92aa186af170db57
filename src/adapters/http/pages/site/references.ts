import { referenceSource, type OpenApiDocument, type ReferenceOf } from './reference.ts';

/** The pages that are written from the OpenAPI documents. */
export const REFERENCES: Readonly<Record<string, ReferenceOf & { readonly file: string }>> = {
  reference: {
    file: 'openapi.json',
    title: 'API reference',
    opening: 'This page is for developers of apps. It has every operation of the app API, and every schema.',
    document: '/docs/openapi.json',
  },
  'reference-admin': {
    file: 'openapi-admin.json',
    title: 'Admin API reference',
    opening:
      'This page is for operators and merchants who automate their work. It has every operation of the admin API, and every schema.',
    document: '/docs/openapi-admin.json',
  },
};

export interface References {
  /** The Markdown of each page, by its name. */
  readonly sources: ReadonlyMap<string, string>;
  /** Finds the operation that this text names in the reference, such as `GET /apps/events/{id}`. */
  linkOf(text: string): string | undefined;
}

/** Guides name parameters as they need, and write a query behind the path. */
const keyOf = (text: string): string => text.replace(/\?.*/, '').replaceAll(/\{\w+\}/g, '{}');

export const openReferences = (read: (file: string) => string): References => {
  const sources = new Map<string, string>();
  const links = new Map<string, string>();
  for (const [name, { file, ...about }] of Object.entries(REFERENCES)) {
    const document = JSON.parse(read(file)) as OpenApiDocument;
    sources.set(name, referenceSource(document, about));
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId }] of Object.entries(methods))
        links.set(keyOf(`${method.toUpperCase()} ${path}`), `/docs/${name}#${operationId}`);
    }
  }
  return { sources, linkOf: (text) => links.get(keyOf(text)) };
};
