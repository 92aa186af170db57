/** A schema that takes any value. Its functions make another. */
const schema = () => ({ fields: {}, make: (value) => value });

exports.Schema = {
  Any: schema(),
  Boolean: schema(),
  NonEmptyString: schema(),
  String: schema(),
  Array: schema,
  NullOr: schema,
  Struct: schema,
  mutable: schema,
  optional: schema,
  decodeUnknownEither: () => (value) => exports.Either.right(value),
};

exports.Either = {
  left: (left) => ({ left }),
  right: (right) => ({ right }),
  isLeft: (either) => 'left' in either,
  map: (change) => (either) => ('left' in either ? either : { right: change(either.right) }),
  flatMap: (change) => (either) => ('left' in either ? either : change(either.right)),
  orElse: (other) => (either) => ('left' in either ? other(either.left) : either),
};

exports.pipe = (value, ...changes) => changes.reduce((result, change) => change(result), value);
