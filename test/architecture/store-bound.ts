import {
  parse,
  type ColumnRef,
  type InsertStmt,
  type JoinExpr,
  type JoinType,
  type Node,
  type OnConflictClause,
  type RangeVar,
  type SelectStmt,
  type UpdateStmt,
  type WithClause,
} from 'libpg-query';

import type { AnyStatement } from '../../src/adapters/prisma/connection/statement.ts';

/** The parameter that names the store of a statement. */
const STORE = 'storeId';

/** The column by which a row belongs to a store. */
const keyOf = (table: string): string => (table === 'stores' ? 'id' : 'store_id');

/** A column of a query. `isStore`: every row has the statement's store in it. */
interface Output {
  readonly name: string;
  readonly isStore: boolean;
}

/**
 * A relation in FROM, under its alias: a table of stores' rows, or the output of another query or a
 * function.
 */
interface Source {
  readonly alias: string;
  readonly table?: string;
  readonly outputs: readonly Output[];
}

/** The common table expressions that a query sees. */
type Ctes = ReadonlyMap<string, readonly Output[]>;
type Nodes = readonly Node[];
type Sides = readonly [left: Node | undefined, right: Node | undefined];

const textOf = (node: Node | undefined): string | undefined => (node && 'String' in node ? node.String.sval : undefined);

/** Without casts, and without the (SELECT ...) that hides a value from the planner's statistics. */
const bareOf = (node: Node | undefined): Node | undefined => {
  if (!node) return undefined;
  if ('TypeCast' in node) return bareOf(node.TypeCast.arg);
  const { subselect, subLinkType } = 'SubLink' in node ? node.SubLink : {};
  if (subLinkType !== 'EXPR_SUBLINK' || !subselect || !('SelectStmt' in subselect)) return node;
  const { fromClause, whereClause, targetList } = subselect.SelectStmt;
  const [only] = targetList ?? [];
  return fromClause || whereClause || !only || !('ResTarget' in only) ? node : bareOf(only.ResTarget.val);
};

const conjuncts = (node: Node | undefined): Nodes => {
  if (!node) return [];
  return 'BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR' ? (node.BoolExpr.args ?? []).flatMap(conjuncts) : [node];
};

/** The sides of each equality that must be true, also of (a, b) = (c, d). */
const equalities = (condition: Node | undefined): Sides[] =>
  conjuncts(condition).flatMap((node): Sides[] => {
    if (!('A_Expr' in node) || node.A_Expr.kind !== 'AEXPR_OP' || textOf(node.A_Expr.name?.[0]) !== '=') return [];
    const { lexpr, rexpr } = node.A_Expr;
    if (!lexpr || !rexpr || !('RowExpr' in lexpr) || !('RowExpr' in rexpr)) return [[lexpr, rexpr]];
    const right = rexpr.RowExpr.args ?? [];
    return (lexpr.RowExpr.args ?? []).map((left, index) => [left, right[index]]);
  });

/** A union has the store where each of its queries has it. */
const inBoth = (left: readonly Output[], right: readonly Output[]): Output[] =>
  left.map(({ name, isStore }, index) => ({ name, isStore: isStore && right[index]?.isStore === true }));

/** With the names of `AS t(a, b)`. */
const renamed = (outputs: readonly Output[], names: Nodes = []): Output[] =>
  outputs.map((output, index) => ({ ...output, name: textOf(names[index]) ?? output.name }));

/** A column of one query; the parameter, which has no alias, is one too. */
interface Place {
  readonly at: string;
  readonly alias?: string;
}
const PARAMETER = '$';
const placeOf = ({ alias }: Source, column: string): string => `${alias}.${column}`;

/** Reads a query without its subqueries: its relations, and the columns that are equal to the store. */
const levelOf = (isParameter: (node: Node) => boolean) => {
  const sources: Source[] = [];
  /** If the first has the store, the second has it too. */
  const implications: [from: string, to: string][] = [];

  /** The source of a column; undefined for one of a query around this one. */
  const sourceOf = (alias: string | undefined, column: string): Source | undefined => {
    const has = ({ table, outputs }: Source) =>
      sources.length === 1 || (table && keyOf(table) === column) || outputs.some(({ name }) => name === column);
    const found = sources.filter((source) => (alias === undefined ? has(source) : source.alias === alias));
    return found.length === 1 ? found[0] : undefined;
  };

  const resolve = ({ fields = [] }: ColumnRef): Place | undefined => {
    const [column, alias] = fields.map(textOf).reverse();
    const source = column === undefined ? undefined : sourceOf(alias, column);
    return source && column !== undefined ? { at: placeOf(source, column), alias: source.alias } : undefined;
  };

  const find = (node: Node | undefined): Place | undefined => {
    const bare = bareOf(node);
    if (!bare) return undefined;
    if (isParameter(bare)) return { at: PARAMETER };
    return 'ColumnRef' in bare ? resolve(bare.ColumnRef) : undefined;
  };

  const bound = (): ReadonlySet<string> => {
    const given = sources.flatMap((source) =>
      source.outputs.flatMap(({ name, isStore }) => (isStore ? [placeOf(source, name)] : [])),
    );
    const found = new Set([PARAMETER, ...given]);
    for (let before = 0; before !== found.size;) {
      before = found.size;
      for (const [from, to] of implications) if (found.has(from)) found.add(to);
    }
    return found;
  };

  const isStore = (node: Node | undefined): boolean => {
    const found = find(node);
    return found !== undefined && bound().has(found.at);
  };

  /** Only the store's column of a table matters. */
  const all = (alias: string | undefined): Output[] => {
    const has = bound();
    return sources
      .filter((source) => alias === undefined || source.alias === alias)
      .flatMap((source) =>
        (source.table === undefined ? source.outputs : [{ name: keyOf(source.table) }]).map(({ name }) => ({
          name,
          isStore: has.has(placeOf(source, name)),
        })),
      );
  };

  return {
    add: (source: Source): string[] => {
      sources.push(source);
      return [source.alias];
    },
    /** `filters`: the aliases whose rows the condition can leave out; an outer join keeps those of one side. */
    require: (condition: Node | undefined, filters?: readonly string[]): void => {
      for (const [left, right] of equalities(condition)) {
        const [a, b] = [find(left), find(right)];
        if (!a || !b) continue;
        const imply = (from: string, { at, alias }: Place): void => {
          if (alias !== undefined && (filters?.includes(alias) ?? true)) implications.push([from, at]);
        };
        imply(a.at, b);
        imply(b.at, a);
      }
    },
    isStore,
    unbound: (): Source[] => {
      const has = bound();
      return sources.filter((source) => source.table !== undefined && !has.has(placeOf(source, keyOf(source.table))));
    },
    /** The columns of a SELECT or RETURNING list. */
    outputs: (list: Nodes = []): Output[] =>
      list.flatMap((node): Output[] => {
        if (!('ResTarget' in node)) return [];
        const { name, val } = node.ResTarget;
        const fields = val && 'ColumnRef' in val ? (val.ColumnRef.fields ?? []) : [];
        if (fields.some((field) => 'A_Star' in field)) return all(textOf(fields.at(-2)));
        return [{ name: name ?? textOf(fields.at(-1)) ?? '', isStore: isStore(val) }];
      }),
  };
};

type Level = ReturnType<typeof levelOf>;

/** An UPDATE or a DELETE. */
interface Change extends Pick<UpdateStmt, 'relation' | 'returningClause' | 'withClause'> {
  readonly from: Node[] | undefined;
  readonly where: Node | undefined;
  readonly set?: Node[] | undefined;
}

/** The columns that are written, or that ON CONFLICT names. */
const namesOf = (nodes: Nodes = []): (string | undefined)[] =>
  nodes.map((node) => ('ResTarget' in node ? node.ResTarget.name : 'IndexElem' in node ? node.IndexElem.name : undefined));

const namedBy = ({ relname = '', alias }: RangeVar = {}): { table: string; alias: string } => ({
  table: relname,
  alias: alias?.aliasname ?? relname,
});

const isNamed = (value: unknown): value is { readonly relname: string } =>
  typeof value === 'object' && value !== null && 'relname' in value;
const isQuery = (kind: string): boolean => ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind);

/**
 * Where a statement reads or writes rows and does not name their store; empty when it always does. A
 * table is bound to the store when its column equals $storeId, or a column of the same query that is
 * bound, in a condition that must be true. What a query around it says does not count: a database of
 * many servers finds the rows by what the query itself names.
 */
export const unboundIn = async (
  { text, parameters }: Pick<AnyStatement, 'text' | 'parameters'>,
  hasStore: (table: string) => boolean,
): Promise<string[]> => {
  const names = Object.keys(parameters);
  const isParameter = (node: Node): boolean => 'ParamRef' in node && names[(node.ParamRef.number ?? 0) - 1] === STORE;
  const faults = new Set<string>();

  const refuse = (table: string, alias = table): void => {
    if (!hasStore(table)) return;
    const read = alias === table ? table : `${table} ${alias}`;
    faults.add(`${read} is not bound to the store: add ${alias}.${keyOf(table)} = $${STORE} to its WHERE or ON`);
  };

  /** Reads every query in the tree. */
  const visit = (tree: unknown, ctes: Ctes): void => {
    if (typeof tree !== 'object' || tree === null) return;
    for (const [kind, value] of Object.entries(tree)) {
      if (isQuery(kind)) outputsOf({ [kind]: value } as Node, ctes);
      // For example TRUNCATE, LOCK and COPY: they have no condition.
      else if (isNamed(value)) refuse(value.relname);
      else visit(value, ctes);
    }
  };

  const withCtes = ({ ctes = [], recursive }: WithClause = {}, outer: Ctes): Ctes => {
    const seen = new Map(outer);
    for (const node of ctes) {
      if (!('CommonTableExpr' in node)) continue;
      const { ctename = '', ctequery, aliascolnames } = node.CommonTableExpr;
      const first = recursive && ctequery && 'SelectStmt' in ctequery ? ctequery.SelectStmt.larg : undefined;
      // A recursive one reads itself: its columns have the store if they have it in the first query, and keep it in the second.
      let outputs = first ? renamed(select(first, seen), aliascolnames) : [];
      for (let before = ''; before !== JSON.stringify(outputs);) {
        before = JSON.stringify(outputs);
        if (first) seen.set(ctename, outputs);
        outputs = renamed(outputsOf(ctequery, seen), aliascolnames);
      }
      seen.set(ctename, outputs);
    }
    return seen;
  };

  const open = (): Level => levelOf(isParameter);
  const close = (level: Level): void => {
    for (const { table, alias } of level.unbound()) refuse(table ?? '', alias);
  };

  const addTable = (level: Level, relation: RangeVar, ctes: Ctes = new Map()): string[] => {
    const { table, alias } = namedBy(relation);
    const outputs = renamed(ctes.get(table) ?? [], relation.alias?.colnames);
    return level.add({ alias, outputs, ...(!ctes.has(table) && hasStore(table) && { table }) });
  };

  const addJoin = (level: Level, { jointype, larg, rarg, quals }: JoinExpr, ctes: Ctes): string[] => {
    const left = addSource(level, larg, ctes);
    const right = addSource(level, rarg, ctes);
    const filters: Partial<Record<JoinType, string[]>> = { JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] };
    level.require(quals, jointype && filters[jointype]);
    visit(quals, ctes);
    return [...left, ...right];
  };

  /** Adds what one part of FROM reads, and says under which aliases. */
  const addSource = (level: Level, node: Node | undefined, ctes: Ctes): string[] => {
    if (!node) return [];
    if ('RangeVar' in node) return addTable(level, node.RangeVar, ctes);
    if ('JoinExpr' in node) return addJoin(level, node.JoinExpr, ctes);
    if ('RangeSubselect' in node) {
      const { subquery, alias } = node.RangeSubselect;
      return level.add({ alias: alias?.aliasname ?? '', outputs: renamed(outputsOf(subquery, ctes), alias?.colnames) });
    }
    visit(node, ctes);
    const { aliasname = '', colnames = [] } = ('RangeFunction' in node ? node.RangeFunction.alias : undefined) ?? {};
    return level.add({ alias: aliasname, outputs: colnames.map((name) => ({ name: textOf(name) ?? '', isStore: false })) });
  };

  const select = (query: SelectStmt, outer: Ctes): Output[] => {
    const { withClause, larg, rarg, fromClause = [], whereClause, targetList, valuesLists = [] } = query;
    const ctes = withCtes(withClause, outer);
    const { havingClause, groupClause, sortClause, limitCount, limitOffset, distinctClause, windowClause } = query;
    visit([havingClause, groupClause, sortClause, limitCount, limitOffset, distinctClause, windowClause], ctes);
    if (larg && rarg) return inBoth(select(larg, ctes), select(rarg, ctes));
    const level = open();
    for (const node of fromClause) addSource(level, node, ctes);
    level.require(whereClause);
    visit([whereClause, targetList, valuesLists], ctes);
    close(level);
    const rows = valuesLists.map((list) =>
      ('List' in list ? (list.List.items ?? []) : []).map((node) => ({ name: '', isStore: level.isStore(node) })),
    );
    return rows.length > 0 ? rows.reduce(inBoth) : level.outputs(targetList);
  };

  const judgeInsert = (
    table: string,
    column: string,
    target: OnConflictClause['infer'],
    value: Output | undefined | null,
  ): void => {
    if (!hasStore(table)) return;
    if (value === null) faults.add(`INSERT INTO ${table} does not name its column ${column}`);
    else if (!value?.isStore)
      faults.add(`INSERT INTO ${table} writes a ${column} that is not bound to the store: insert $${STORE}`);
    const columns = namesOf(target?.indexElems);
    if (columns.length > 0 && !columns.includes(column)) faults.add(`ON CONFLICT of ${table} leaves ${column} out`);
  };

  const insert = ({ relation, cols, selectStmt, onConflictClause, ...rest }: InsertStmt, outer: Ctes): Output[] => {
    const { table, alias } = namedBy(relation);
    const ctes = withCtes(rest.withClause, outer);
    const column = keyOf(table);
    const index = namesOf(cols).indexOf(column);
    const value = outputsOf(selectStmt, ctes)[index];
    judgeInsert(table, column, onConflictClause?.infer, index < 0 ? null : value);
    visit([onConflictClause?.targetList, onConflictClause?.whereClause, rest.returningClause], ctes);
    const level = open();
    level.add({ alias, outputs: [{ name: column, isStore: value?.isStore === true }] });
    return level.outputs(rest.returningClause?.exprs);
  };

  const change = ({ relation = {}, from = [], where, set = [], returningClause, withClause }: Change, outer: Ctes): Output[] => {
    const { table } = namedBy(relation);
    const ctes = withCtes(withClause, outer);
    const level = open();
    addTable(level, relation);
    for (const node of from) addSource(level, node, ctes);
    level.require(where);
    visit([where, set, returningClause], ctes);
    close(level);
    const moved = level.outputs(set).some(({ name, isStore }) => name === keyOf(table) && !isStore);
    if (moved && hasStore(table)) faults.add(`UPDATE of ${table} writes a ${keyOf(table)} that is not bound to the store`);
    return level.outputs(returningClause?.exprs);
  };

  /** The columns that a query gives. */
  const outputsOf = (query: Node | undefined, ctes: Ctes): Output[] => {
    if (!query) return [];
    if ('SelectStmt' in query) return select(query.SelectStmt, ctes);
    if ('InsertStmt' in query) return insert(query.InsertStmt, ctes);
    if ('UpdateStmt' in query) {
      const { fromClause, whereClause, targetList, ...rest } = query.UpdateStmt;
      return change({ from: fromClause, where: whereClause, set: targetList, ...rest }, ctes);
    }
    if ('DeleteStmt' in query) {
      const { usingClause, whereClause, ...rest } = query.DeleteStmt;
      return change({ from: usingClause, where: whereClause, ...rest }, ctes);
    }
    return [];
  };

  visit((await parse(text)).stmts, new Map());
  return [...faults];
};
