import { textOf } from './source.ts';

/** Every column of prisma/schema.prisma, as `table.column`. A field whose type is a model is a relation. */
export const schemaColumns = (): string[] => {
  const schema = textOf('prisma/schema.prisma');
  const models = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => ({ name, body }));
  const isRelation = (type: string): boolean => models.some(({ name }) => name === type);
  return models.flatMap(({ name, body }) => {
    const [, table = name] = /@@map\("(\w+)"\)/.exec(body) ?? [];
    return [...body.matchAll(/^ {2}(\w+) +(\w+)(.*)$/gm)]
      .filter(([, , type = '']) => !isRelation(type))
      .map(([, field = '', , rest = '']) => `${table}.${/@map\("(\w+)"\)/.exec(rest)?.[1] ?? field}`);
  });
};
