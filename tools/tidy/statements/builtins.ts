import type { AnyNode, CallExpression } from 'acorn'
import type { Evaluate } from './scopes.ts'
import {
  lazy,
  mapItems,
  mapOptions,
  plainSql,
  chooseFrom,
  unknownValue,
  type Lazy,
  type LexicalScope,
  type Value,
} from './values.ts'

interface BuiltinCall {
  readonly node: CallExpression
  readonly scope: LexicalScope
  readonly argumentValues: readonly Lazy[]
  readonly evaluate: Evaluate
  readonly apply: (callee: Value, argumentValues: readonly Lazy[]) => Value
}

type Builtin = (call: BuiltinCall, object: Lazy) => Value

const argumentOf = ({ argumentValues }: BuiltinCall, index: number): Value =>
  argumentValues[index]?.() ?? { kind: 'absent' }

const itself: Builtin = (call) => argumentOf(call, 0)
const boundValue: Builtin = () => unknownValue

/** The members of the tag `sql`. */
const sqlMembers: Readonly<Record<string, Builtin>> = {
  join: (call) => {
    const separator = argumentOf(call, 1)
    return {
      kind: 'joined',
      list: argumentOf(call, 0),
      separator: separator.kind === 'absent' ? plainSql(', ') : separator,
    }
  },
  identifier: (call) => ({ kind: 'identifier', name: argumentOf(call, 0) }),
  integer: () => plainSql('1'),
  json: boundValue,
  prepared: itself,
  generic: itself,
  preparedWhenFrequent: itself,
  genericWhenFrequent: itself,
  template: (call) => call.apply(argumentOf(call, 2), [() => argumentOf(call, 1)]),
}

const toList = (items: readonly Value[]): Value => ({ kind: 'list', items })

const listMembers = (object: Value, read: (name: string, value: Lazy) => Value): Value =>
  mapOptions(object, (known) =>
    known.kind === 'object' ? toList([...known.members].map(([name, value]) => read(name, value))) : unknownValue,
  )

const objectMembers: Readonly<Record<string, Builtin>> = {
  entries: (call) => listMembers(argumentOf(call, 0), (name, value) => toList([{ kind: 'text', text: name }, value()])),
  keys: (call) => listMembers(argumentOf(call, 0), (name) => ({ kind: 'text', text: name })),
  values: (call) => listMembers(argumentOf(call, 0), (_name, value) => value()),
}

const mapWith: Builtin = (call, object) => {
  const callback = argumentOf(call, 0)
  return mapItems(object(), (item) => call.apply(callback, [() => item, () => unknownValue]))
}

/** Methods of lists; what reorders or shortens a list leaves the same kinds of items in it. */
const listMethods: Readonly<Record<string, Builtin>> = {
  map: mapWith,
  flatMap: (call, object) =>
    mapOptions(mapWith(call, object), (list) =>
      list.kind === 'list' ? toList(list.items.map((item) => ({ kind: 'spread', list: item }))) : list,
    ),
  flat: (_call, object) => mapItems(object(), (item) => (item.kind === 'list' ? { kind: 'spread', list: item } : item)),
  filter: (_call, object) => object(),
  slice: (_call, object) => object(),
  toSorted: (_call, object) => object(),
  // Either nothing is added to the first value, or something is.
  reduce: (call) => {
    const [callback, first] = [argumentOf(call, 0), argumentOf(call, 1)]
    const added = lazy(() => call.apply(callback, [() => first, () => unknownValue, () => unknownValue]))
    return chooseFrom(call.node, [added, () => first])
  },
}

const arrayFrom: Builtin = (call) => toList([call.apply(argumentOf(call, 1), [() => unknownValue, () => unknownValue])])

const isName = (node: AnyNode, name: string): boolean => node.type === 'Identifier' && node.name === name

/** A call of `sql`, of `Object` or `Array`, or of a method of a list; null if it is another call. */
export function evaluateBuiltin(call: BuiltinCall): Value | null {
  const { callee } = call.node
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || callee.computed) return null
  const { object, property } = callee
  if (object.type === 'Super') return null
  const readObject = lazy(() => call.evaluate(object, call.scope))
  if (isName(object, 'sql')) return sqlMembers[property.name]?.(call, readObject) ?? unknownValue
  if (isName(object, 'Object')) return objectMembers[property.name]?.(call, readObject) ?? unknownValue
  if (isName(object, 'Array')) return property.name === 'from' ? arrayFrom(call, readObject) : unknownValue
  return Object.hasOwn(listMethods, property.name) && callsList(readObject())
    ? listMethods[property.name]!(call, readObject)
    : null
}

/** Objects may have members with the names of the methods of lists. */
const callsList = (value: Value): boolean => value.kind !== 'object'
