/**
 * `npm run sql -- DUE`: the declared statement as PostgreSQL gets it. Where several have the name, it lists them: `npm run sql --
 * due:DUE`. Without an argument, it lists all.
 */
import { namedStatements, type NamedStatement } from './named-statements.ts';

const [, file = '', name = ''] = /^(?:(.*?)(?:\.ts)?:)?(.*)$/.exec(process.argv[2] ?? '') ?? [];

const isWanted = (one: NamedStatement): boolean =>
  (name === '' || one.name === name || one.name.startsWith(`${name}.`)) &&
  `/${one.file}`.endsWith(file === '' ? '.ts' : `/${file}.ts`);

const print = ({ statement }: NamedStatement): void => {
  const parameters = Object.entries(statement.parameters).map(
    ([parameter, type], at) => `-- $${String(at + 1)} ${parameter}: ${type}`,
  );
  console.log([...parameters, statement.text.trim()].join('\n'));
};

const wanted = (await namedStatements()).filter(isWanted);
const names = [...new Set(wanted.map((one) => `${one.file.replace(/\.ts$/, '')}:${one.name}`))];
if (names.length === 1) wanted.forEach(print);
else console.log(names.length === 0 ? `No statement is called ${name}. npm run sql lists all.` : names.join('\n'));
process.exit(names.length === 0 ? 1 : 0);
