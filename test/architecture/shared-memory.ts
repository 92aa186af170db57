import ts from 'typescript';

/** Classes that keep values by a key. A WeakMap is not among them, since its keys are objects. */
const COLLECTIONS = /^(Map|Set|LRUCache)$/;
const LIMITERS = /^RateLimiter(Memory|Redis)$/;

const gather = (file: ts.SourceFile, judge: (node: ts.Node) => string | null): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = judge(node);
    if (name !== null) found.push(name);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

/** Nodes that hold a part of a returned value. */
const WHOLES = [
  ts.isObjectLiteralExpression,
  ts.isPropertyAssignment,
  ts.isShorthandPropertyAssignment,
  ts.isConditionalExpression,
  ts.isParenthesizedExpression,
  ts.isSatisfiesExpression,
];

/** True when the value is returned, or kept by something made of it. */
const isReturned = (node: ts.Node): boolean => {
  const { parent } = node;
  // `new LRUCache({ memoMethod: ... })` keeps what it is given.
  if (ts.isReturnStatement(parent) || ts.isNewExpression(parent)) return true;
  if (ts.isArrowFunction(parent)) return parent.body === node;
  return WHOLES.some((isWhole) => isWhole(parent)) && isReturned(parent);
};

/** Functions that keep a given function, and call it later. */
const KEEPS = /^(on|once|addListener|prependListener|addEventListener|setInterval|register\w*)$/;

const isListener = ({ parent }: ts.Node): boolean => {
  if (!ts.isCallExpression(parent)) return false;
  const { expression } = parent;
  return KEEPS.test(ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText());
};

const functionAround = (node: ts.Node): ts.Node | null => {
  for (let at = node.parent as ts.Node | undefined; at; at = at.parent as ts.Node | undefined)
    if (ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at)) return at;
  return null;
};

const survivorsOf = new WeakMap<ts.Node, ReadonlySet<ts.Node>>();

/** The functions that outlive a call of `owner`: those that it returns or that listen, and those that these call. */
const survivors = (owner: ts.Node, checker: ts.TypeChecker): ReadonlySet<ts.Node> => {
  const known = survivorsOf.get(owner);
  if (known) return known;
  const inner: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && node !== owner) inner.push(node);
    ts.forEachChild(node, visit);
  };
  visit(owner);
  const named = new Map(
    inner.flatMap((one) => {
      const name = ts.isFunctionDeclaration(one) ? one.name : ts.isVariableDeclaration(one.parent) ? one.parent.name : null;
      const symbol = name && checker.getSymbolAtLocation(name);
      return symbol ? [[symbol, one] as const] : [];
    }),
  );
  const found = new Set(inner.filter((one) => isReturned(one) || isListener(one)));
  const follow = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node);
      const called = symbol && named.get(symbol);
      if (called && !found.has(called)) {
        found.add(called);
        follow(called);
      }
    }
    ts.forEachChild(node, follow);
  };
  const returned = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && (isReturned(node) || ts.isShorthandPropertyAssignment(node.parent))) follow(node);
    ts.forEachChild(node, returned);
  };
  for (const one of [...found]) follow(one);
  returned(owner);
  survivorsOf.set(owner, found);
  return found;
};

/**
 * True when the declared value may serve several requests: it belongs to a module or an object, or
 * a function that outlives its owner keeps it.
 */
const isShared = (
  declared: ts.VariableDeclaration | ts.PropertyDeclaration | ts.ParameterDeclaration,
  checker: ts.TypeChecker,
): boolean => {
  if (!ts.isVariableDeclaration(declared)) return true;
  const owner = functionAround(declared);
  if (owner === null) return true;
  const { name } = declared;
  const symbol = checker.getSymbolAtLocation(name);
  // The text first: the symbol of a member costs the type of its object.
  const isName = (node: ts.Node): boolean =>
    ts.isIdentifier(node) && node !== name && node.text === name.getText() && checker.getSymbolAtLocation(node) === symbol;
  const uses = (node: ts.Node): boolean => isName(node) || ts.forEachChild(node, (child) => uses(child) || undefined) === true;
  return [...survivors(owner, checker)].some(uses);
};

/** A key has its store or its domain in it, or is one of a few words, or an object. */
const BRANDS = /ofStore|isDomain/;
const isSafe = (given: ts.Type, checker: ts.TypeChecker): boolean => {
  const key = checker.getBaseConstraintOfType(given) ?? given;
  if (key.isUnion()) return key.types.every((part) => isSafe(part, checker));
  if (key.isIntersection())
    return key.types.some((part) => part.getProperties().some(({ escapedName }) => BRANDS.test(String(escapedName))));
  return key.isLiteral() || (key.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)) !== 0;
};

const keyOf = (type: ts.Type, checker: ts.TypeChecker): ts.Type | null => {
  for (const part of type.isUnion() ? type.types : [type]) {
    const name = part.getSymbol()?.getName() ?? '';
    if (!COLLECTIONS.test(name)) continue;
    return checker.getTypeArguments(part as ts.TypeReference)[0] ?? checker.getStringType();
  }
  return null;
};

type Declaration = ts.VariableDeclaration | ts.PropertyDeclaration | ts.ParameterPropertyDeclaration;
const isDeclaration = (node: ts.Node): node is Declaration =>
  ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isParameterPropertyDeclaration(node, node.parent);

type Part = ts.PropertyAssignment | ts.ShorthandPropertyAssignment;
const isPart = (node: ts.Node): node is Part => ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);

/** Finds the object that holds this part, if the file declares it. */
const holderOf = (part: Part): Declaration | null => {
  for (let at: ts.Node = part.parent; ; at = at.parent) {
    if (isDeclaration(at)) return at;
    if (!ts.isObjectLiteralExpression(at) && !WHOLES.some((isWhole) => isWhole(at))) return null;
  }
};

/** The declaration of `kept`, `this.#kept`, or of `state` in `state.kept`. */
const declarationOf = (expression: ts.Expression, checker: ts.TypeChecker): Declaration | Part | null => {
  const declared = checker.getSymbolAtLocation(
    ts.isPropertyAccessExpression(expression) ? expression.name : expression,
  )?.valueDeclaration;
  if (declared && (isDeclaration(declared) || isPart(declared))) return declared;
  return ts.isPropertyAccessExpression(expression) ? declarationOf(expression.expression, checker) : null;
};

/**
 * True when the declaration shows without types that it collects nothing. The parts of an object
 * are judged separately.
 */
const collectsNothing = (declared: Declaration | Part): boolean => {
  let value = 'initializer' in declared ? declared.initializer : undefined;
  while (value && (ts.isSatisfiesExpression(value) || ts.isAsExpression(value))) value = value.expression;
  return (
    value !== undefined &&
    (ts.isFunctionLike(value) ||
      ts.isObjectLiteralExpression(value) ||
      ts.isLiteralExpression(value) ||
      ts.isTemplateExpression(value))
  );
};

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** The object that a key is given a value in, or loses it: `kept[id] = 1`, `delete kept[id]`, `kept = { ...kept, [id]: 1 }`. */
const writtenUnder = (node: ts.Node): { readonly object: ts.Expression; readonly key: ts.Expression } | null => {
  if (ts.isElementAccessExpression(node)) {
    const { parent } = node;
    const isWritten =
      ts.isDeleteExpression(parent) ||
      ts.isPostfixUnaryExpression(parent) ||
      ts.isPrefixUnaryExpression(parent) ||
      (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken.kind));
    return isWritten ? { object: node.expression, key: node.argumentExpression } : null;
  }
  if (!ts.isComputedPropertyName(node)) return null;
  const { parent } = node.parent.parent;
  const isAssigned = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssigned ? { object: parent.left, key: node.expression } : null;
};

const isText = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.some(isText) : (type.flags & ts.TypeFlags.StringLike) !== 0 || type.isIntersection();

/** The names of what a file declares for several requests under a key that two stores may have. */
export const sharedWithoutStore = (file: ts.SourceFile, checker: ts.TypeChecker): string[] => {
  const nameOf = (declared: Declaration | Part): string | null => {
    const holder = isPart(declared) ? holderOf(declared) : declared;
    if (holder === null || !isShared(holder, checker)) return null;
    return holder === declared ? declared.name.getText() : `${holder.name.getText()}.${declared.name.getText()}`;
  };
  // Types cost the most. Few declarations are shared, and of these many show what they are.
  const kept = (node: Declaration | Part): string | null => {
    const name = collectsNothing(node) ? null : nameOf(node);
    const key = name === null ? null : keyOf(checker.getTypeAtLocation(node.name), checker);
    return key && !isSafe(key, checker) ? name : null;
  };
  const found = gather(file, (node) => {
    if (ts.isNewExpression(node) && LIMITERS.test(node.expression.getText())) return node.expression.getText();
    const written = writtenUnder(node);
    if (written) {
      const type = checker.getTypeAtLocation(written.key);
      const declared = isText(type) && !isSafe(type, checker) ? declarationOf(written.object, checker) : null;
      return declared && nameOf(declared);
    }
    return isDeclaration(node) || isPart(node) ? kept(node) : null;
  });
  return [...new Set(found)];
};

/** Where a file calls something the key of a store that does not come from `storeKey`. */
export const claimedKeys = (file: ts.SourceFile, checker: ts.TypeChecker): string[] => {
  const isKey = (type: ts.Type): boolean =>
    type.getProperties().some(({ escapedName }) => String(escapedName).includes('ofStore'));
  return gather(file, (node) => {
    const isCast = ts.isAsExpression(node) || ts.isTypeAssertionExpression(node);
    const claims = isCast || ts.isTypePredicateNode(node) ? node.type : undefined;
    if (!claims || !isKey(checker.getTypeFromTypeNode(claims))) return null;
    return isCast && isKey(checker.getTypeAtLocation(node.expression)) ? null : node.getText();
  });
};

/** The keys that a file makes of something else than the id of a store, or a key that has it. */
export const keysWithoutStore = (file: ts.SourceFile, checker: ts.TypeChecker): string[] =>
  gather(file, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'storeKey') return null;
    const [id] = node.arguments;
    const isStore = id && (/(^|\.)storeId$|^store\.id$/.test(id.getText()) || isSafe(checker.getTypeAtLocation(id), checker));
    return isStore ? null : node.getText();
  });
