/**
 * An in-memory evaluator of CQL2-JSON for one item, the oracle of these tests. It shares no code with the compiler, reads
 * the filter as it was sent and works with doubles and milliseconds.
 */

export interface EvaluatedItem {
  readonly id: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly datetime?: string | null
  readonly start_datetime?: string | null
  readonly end_datetime?: string | null
  readonly cloud_cover?: number | null
  readonly gsd?: number | null
}

type Truth = boolean | null
type Scalar = number | string | boolean | Instant | null
interface Instant {
  readonly at: number
}
interface Cql2Node {
  readonly op?: string
  readonly args?: readonly unknown[]
  readonly property?: string
  readonly date?: string
  readonly timestamp?: string
  readonly interval?: readonly unknown[]
}

const isCql2Node = (value: unknown): value is Cql2Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isInstant = (value: Scalar): value is Instant => typeof value === 'object' && value !== null

const timestampPattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/

function parseInstant(value: Scalar): Instant | null {
  if (isInstant(value)) return value
  if (typeof value !== 'string' || !timestampPattern.test(value)) return null
  const [year, month, day] = value.slice(0, 10).split('-').map(Number) as [number, number, number]
  if (new Date(Date.UTC(year, month, 0)).getUTCDate() < day) return null
  const at = Date.parse(value.length === 10 ? `${value}T00:00:00Z` : value)
  return Number.isNaN(at) ? null : { at }
}

function readProperty(item: EvaluatedItem, name: string): Scalar | readonly unknown[] {
  const columns: Record<string, Scalar> = {
    id: item.id,
    'eo:cloud_cover': item.cloud_cover ?? null,
    gsd: item.gsd ?? null,
    datetime: parseInstant(item.start_datetime ?? item.datetime ?? null),
    start_datetime: parseInstant(item.start_datetime ?? null),
    end_datetime: parseInstant(item.end_datetime ?? null),
  }
  const bareName = name.startsWith('properties.') ? name.slice('properties.'.length) : name
  if (Object.hasOwn(columns, bareName)) return columns[bareName]!
  const path = Object.hasOwn(item.properties, bareName) ? [bareName] : bareName.split('.')
  const resolvedValue = path.reduce(
    (holder: unknown, key) => (isCql2Node(holder) ? (holder as Record<string, unknown>)[key] : null),
    item.properties,
  )
  return (resolvedValue as Scalar | undefined) ?? null
}

const letterReplacements: Record<string, string> = {
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  Æ: 'AE',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ı: 'i',
}

const stripAccents = (text: string): string =>
  [...text.normalize('NFD')]
    .filter((letter) => letter < '\u0300' || letter > '\u036f')
    .map((letter) => letterReplacements[letter] ?? letter)
    .join('')
    .normalize('NFC')

const foldCase = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

const arithmeticOperators: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  div: (a, b) => Math.trunc(a / b),
  '^': (a, b) => a ** b,
}

function evaluateValue(item: EvaluatedItem, node: unknown): Scalar | readonly unknown[] {
  if (Array.isArray(node)) return node.map((member) => evaluateValue(item, member))
  if (!isCql2Node(node)) return node as Scalar
  if (node.property !== undefined) return readProperty(item, node.property)
  if (node.date !== undefined) return parseInstant(node.date)
  if (node.timestamp !== undefined) return parseInstant(node.timestamp)
  const [left, right] = (node.args ?? []).map((argument) => evaluateValue(item, argument))
  if (node.op === 'casei') return typeof left === 'string' ? foldCase(left) : null
  if (node.op === 'accenti') return typeof left === 'string' ? stripAccents(left) : null
  const calculate = arithmeticOperators[node.op ?? '']
  if (!calculate) return node.op === undefined ? null : evaluate(item, node)
  return typeof left === 'number' && typeof right === 'number' ? finiteOrNull(calculate(left, right)) : null
}

/** Negative, zero or positive; null if the types differ. Strings compare by code point. */
function compareScalars(left: Scalar, right: Scalar): number | null {
  if (isInstant(left) || isInstant(right)) {
    const [a, b] = [parseInstant(left), parseInstant(right)]
    return a && b ? a.at - b.at : null
  }
  if (left === null || right === null || typeof left !== typeof right) return null
  if (typeof left === 'string' && typeof right === 'string')
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return Number(left) - Number(right)
}

const comparisonOperators: Record<string, (compareScalars: number) => boolean> = {
  '=': (sign) => sign === 0,
  '<>': (sign) => sign !== 0,
  '<': (sign) => sign < 0,
  '<=': (sign) => sign <= 0,
  '>': (sign) => sign > 0,
  '>=': (sign) => sign >= 0,
}

const isScalar = (value: Scalar | readonly unknown[]): value is Scalar =>
  !Array.isArray(value) && !(isCql2Node(value) && !isInstant(value as Scalar))

function evaluateComparison(
  name: string,
  left: Scalar | readonly unknown[],
  right: Scalar | readonly unknown[],
): Truth {
  if (!isScalar(left) || !isScalar(right)) return null
  const sign = compareScalars(left, right)
  return sign === null ? null : comparisonOperators[name]!(sign)
}

const and = (parts: readonly Truth[]): Truth => (parts.includes(false) ? false : parts.includes(null) ? null : true)
const not = (subset: Truth): Truth => (subset === null ? null : !subset)
const or = (parts: readonly Truth[]): Truth => not(and(parts.map(not)))

function evaluateLike(text: Scalar | readonly unknown[], pattern: unknown): Truth {
  if (typeof text !== 'string' || typeof pattern !== 'string') return null
  const source = pattern.replaceAll(/\\(.)|([%_])|([\s\S])/gu, (_all, escaped, wild, letter) =>
    wild ? (wild === '%' ? '[\\s\\S]*' : '[\\s\\S]') : (escaped ?? letter).replace(/[$()*+.?[\\\]^{|}]/, '\\$&'),
  )
  return new RegExp(`^${source}$`, 'u').test(text)
}

interface Interval {
  readonly start: number | null
  readonly end: number | null
}

function evaluateInterval(item: EvaluatedItem, node: unknown): Interval {
  const at = (bound: unknown): number | null => {
    const value = evaluateValue(item, bound)
    return isScalar(value) ? (parseInstant(value)?.at ?? null) : null
  }
  const ending = (bound: unknown): number | null =>
    isCql2Node(bound) && bound.property === 'datetime'
      ? (parseInstant(item.end_datetime ?? item.datetime ?? item.start_datetime ?? null)?.at ?? null)
      : at(bound)
  if (!isCql2Node(node) || !node.interval) return { start: at(node), end: ending(node) }
  const [start, end] = node.interval
  return { start: start === '..' ? -Infinity : at(start), end: end === '..' ? Infinity : ending(end) }
}

/** The temporal operators by the signs of the comparisons start-start, start-end, end-start and end-end. */
const temporalOperators: Record<string, (ss: Sign, se: Sign, es: Sign, ee: Sign) => Truth> = {
  t_after: (_ss, se) => isPositive(se),
  t_before: (_ss, _se, es) => isNegative(es),
  t_contains: (ss, _se, _es, ee) => and([isNegative(ss), isPositive(ee)]),
  t_disjoint: (_ss, se, es) => or([isNegative(es), isPositive(se)]),
  t_during: (ss, _se, _es, ee) => and([isPositive(ss), isNegative(ee)]),
  t_equals: (ss, _se, _es, ee) => and([isZero(ss), isZero(ee)]),
  t_finishedBy: (ss, _se, _es, ee) => and([isNegative(ss), isZero(ee)]),
  t_finishes: (ss, _se, _es, ee) => and([isPositive(ss), isZero(ee)]),
  t_intersects: (_ss, se, es) => not(or([isNegative(es), isPositive(se)])),
  t_meets: (_ss, _se, es) => isZero(es),
  t_metBy: (_ss, se) => isZero(se),
  t_overlappedBy: (ss, se, _es, ee) => and([isPositive(ss), isNegative(se), isPositive(ee)]),
  t_overlaps: (ss, _se, es, ee) => and([isNegative(ss), isPositive(es), isNegative(ee)]),
  t_startedBy: (ss, _se, _es, ee) => and([isZero(ss), isPositive(ee)]),
  t_starts: (ss, _se, _es, ee) => and([isZero(ss), isNegative(ee)]),
}
type Sign = number | null
const isNegative = (sign: Sign): Truth => (sign === null ? null : sign < 0)
const isPositive = (sign: Sign): Truth => (sign === null ? null : sign > 0)
const isZero = (sign: Sign): Truth => (sign === null ? null : sign === 0)
const compareInstants = (a: number | null, b: number | null): Sign =>
  a === null || b === null ? null : a < b ? -1 : a > b ? 1 : 0

function evaluateTemporal(item: EvaluatedItem, name: string, left: unknown, right: unknown): Truth {
  const [a, b] = [evaluateInterval(item, left), evaluateInterval(item, right)]
  return temporalOperators[name]!(
    compareInstants(a.start, b.start),
    compareInstants(a.start, b.end),
    compareInstants(a.end, b.start),
    compareInstants(a.end, b.end),
  )
}

function evaluateArrayOperator(name: string, left: unknown, right: unknown): Truth {
  if (!Array.isArray(left) || !Array.isArray(right)) return null
  const [a, b] = [left, right].map((list) => new Set(list.map((member) => JSON.stringify(member)))) as [
    Set<string>,
    Set<string>,
  ]
  const containsAll = (superset: Set<string>, subset: Set<string>): boolean =>
    [...subset].every((member) => superset.has(member))
  if (name === 'a_overlaps') return [...a].some((member) => b.has(member))
  if (name === 'a_equals') return containsAll(a, b) && containsAll(b, a)
  return name === 'a_contains' ? containsAll(a, b) : containsAll(b, a)
}

/** Says whether the item matches; null for unknown. */
export function evaluate(item: EvaluatedItem, filter: unknown): Truth {
  if (!isCql2Node(filter) || filter.op === undefined) {
    const value = evaluateValue(item, filter)
    return typeof value === 'boolean' ? value : null
  }
  const { op, args = [] } = filter
  if (op === 'and') return and(args.map((subset) => evaluate(item, subset)))
  if (op === 'or') return or(args.map((subset) => evaluate(item, subset)))
  if (op === 'not') return not(evaluate(item, args[0]))
  if (op === 'isNull') return evaluateValue(item, args[0]) === null
  if (op.startsWith('t_')) return evaluateTemporal(item, op, args[0], args[1])
  const values = args.map((argument) => evaluateValue(item, argument))
  const [first = null, second = null, third = null] = values
  if (op.startsWith('a_')) return evaluateArrayOperator(op, first, second)
  if (op === 'like') return evaluateLike(first, second)
  if (op === 'between') return and([evaluateComparison('>=', first, second), evaluateComparison('<=', first, third)])
  if (op === 'in') return or((second as readonly Scalar[]).map((term) => evaluateComparison('=', first, term)))
  if (comparisonOperators[op]) return evaluateComparison(op, first, second)
  throw new Error(`no test evaluates ${op}`)
}
