/**
 * An in-memory evaluator of CQL2-JSON for one item, the oracle of these tests. It shares no code with the compiler, reads
 * the filter as it was sent and works with doubles and milliseconds.
 */

export interface Evaluated {
  readonly id: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly datetime?: string | null
  readonly start_datetime?: string | null
  readonly end_datetime?: string | null
  readonly cloud_cover?: number | null
  readonly gsd?: number | null
}

type Truth = boolean | null
type Scalar = number | string | boolean | Moment | null
interface Moment {
  readonly at: number
}
interface Node {
  readonly op?: string
  readonly args?: readonly unknown[]
  readonly property?: string
  readonly date?: string
  readonly timestamp?: string
  readonly interval?: readonly unknown[]
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const isMoment = (value: Scalar): value is Moment => typeof value === 'object' && value !== null

const spelling = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/

function momentOf(value: Scalar): Moment | null {
  if (isMoment(value)) return value
  if (typeof value !== 'string' || !spelling.test(value)) return null
  const [year, month, day] = value.slice(0, 10).split('-').map(Number) as [number, number, number]
  if (new Date(Date.UTC(year, month, 0)).getUTCDate() < day) return null
  const at = Date.parse(value.length === 10 ? `${value}T00:00:00Z` : value)
  return Number.isNaN(at) ? null : { at }
}

function propertyOf(item: Evaluated, name: string): Scalar | readonly unknown[] {
  const columns: Record<string, Scalar> = {
    id: item.id,
    'eo:cloud_cover': item.cloud_cover ?? null,
    gsd: item.gsd ?? null,
    datetime: momentOf(item.start_datetime ?? item.datetime ?? null),
    start_datetime: momentOf(item.start_datetime ?? null),
    end_datetime: momentOf(item.end_datetime ?? null),
  }
  const plain = name.startsWith('properties.') ? name.slice('properties.'.length) : name
  if (Object.hasOwn(columns, plain)) return columns[plain]!
  const path = Object.hasOwn(item.properties, plain) ? [plain] : plain.split('.')
  const found = path.reduce(
    (holder: unknown, key) => (isNode(holder) ? (holder as Record<string, unknown>)[key] : null),
    item.properties,
  )
  return (found as Scalar | undefined) ?? null
}

const strokes: Record<string, string> = {
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

const withoutAccents = (text: string): string =>
  [...text.normalize('NFD')]
    .filter((letter) => letter < '\u0300' || letter > '\u036f')
    .map((letter) => strokes[letter] ?? letter)
    .join('')
    .normalize('NFC')

const withoutCase = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

const calculations: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  div: (a, b) => Math.trunc(a / b),
  '^': (a, b) => a ** b,
}

function valueOf(item: Evaluated, node: unknown): Scalar | readonly unknown[] {
  if (Array.isArray(node)) return node.map((member) => valueOf(item, member))
  if (!isNode(node)) return node as Scalar
  if (node.property !== undefined) return propertyOf(item, node.property)
  if (node.date !== undefined) return momentOf(node.date)
  if (node.timestamp !== undefined) return momentOf(node.timestamp)
  const [left, right] = (node.args ?? []).map((argument) => valueOf(item, argument))
  if (node.op === 'casei') return typeof left === 'string' ? withoutCase(left) : null
  if (node.op === 'accenti') return typeof left === 'string' ? withoutAccents(left) : null
  const calculate = calculations[node.op ?? '']
  if (!calculate) return node.op === undefined ? null : evaluate(item, node)
  return typeof left === 'number' && typeof right === 'number' ? finite(calculate(left, right)) : null
}

/** Negative, zero or positive; null if the types differ. Strings compare by code point. */
function order(left: Scalar, right: Scalar): number | null {
  if (isMoment(left) || isMoment(right)) {
    const [a, b] = [momentOf(left), momentOf(right)]
    return a && b ? a.at - b.at : null
  }
  if (left === null || right === null || typeof left !== typeof right) return null
  if (typeof left === 'string' && typeof right === 'string')
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return Number(left) - Number(right)
}

const comparisons: Record<string, (order: number) => boolean> = {
  '=': (sign) => sign === 0,
  '<>': (sign) => sign !== 0,
  '<': (sign) => sign < 0,
  '<=': (sign) => sign <= 0,
  '>': (sign) => sign > 0,
  '>=': (sign) => sign >= 0,
}

const isScalar = (value: Scalar | readonly unknown[]): value is Scalar =>
  !Array.isArray(value) && !(isNode(value) && !isMoment(value as Scalar))

function compare(name: string, left: Scalar | readonly unknown[], right: Scalar | readonly unknown[]): Truth {
  if (!isScalar(left) || !isScalar(right)) return null
  const sign = order(left, right)
  return sign === null ? null : comparisons[name]!(sign)
}

const and = (parts: readonly Truth[]): Truth => (parts.includes(false) ? false : parts.includes(null) ? null : true)
const not = (part: Truth): Truth => (part === null ? null : !part)
const or = (parts: readonly Truth[]): Truth => not(and(parts.map(not)))

function like(text: Scalar | readonly unknown[], pattern: unknown): Truth {
  if (typeof text !== 'string' || typeof pattern !== 'string') return null
  const source = pattern.replaceAll(/\\(.)|([%_])|([\s\S])/gu, (_all, escaped, wild, letter) =>
    wild ? (wild === '%' ? '[\\s\\S]*' : '[\\s\\S]') : (escaped ?? letter).replace(/[$()*+.?[\\\]^{|}]/, '\\$&'),
  )
  return new RegExp(`^${source}$`, 'u').test(text)
}

interface Span {
  readonly start: number | null
  readonly end: number | null
}

function spanOf(item: Evaluated, node: unknown): Span {
  const at = (bound: unknown): number | null => {
    const value = valueOf(item, bound)
    return isScalar(value) ? (momentOf(value)?.at ?? null) : null
  }
  const ending = (bound: unknown): number | null =>
    isNode(bound) && bound.property === 'datetime'
      ? (momentOf(item.end_datetime ?? item.datetime ?? item.start_datetime ?? null)?.at ?? null)
      : at(bound)
  if (!isNode(node) || !node.interval) return { start: at(node), end: ending(node) }
  const [start, end] = node.interval
  return { start: start === '..' ? -Infinity : at(start), end: end === '..' ? Infinity : ending(end) }
}

/** By the signs of the comparisons start-start, start-end, end-start and end-end. */
const relations: Record<string, (ss: Sign, se: Sign, es: Sign, ee: Sign) => Truth> = {
  t_after: (_ss, se) => more(se),
  t_before: (_ss, _se, es) => less(es),
  t_contains: (ss, _se, _es, ee) => and([less(ss), more(ee)]),
  t_disjoint: (_ss, se, es) => or([less(es), more(se)]),
  t_during: (ss, _se, _es, ee) => and([more(ss), less(ee)]),
  t_equals: (ss, _se, _es, ee) => and([same(ss), same(ee)]),
  t_finishedBy: (ss, _se, _es, ee) => and([less(ss), same(ee)]),
  t_finishes: (ss, _se, _es, ee) => and([more(ss), same(ee)]),
  t_intersects: (_ss, se, es) => not(or([less(es), more(se)])),
  t_meets: (_ss, _se, es) => same(es),
  t_metBy: (_ss, se) => same(se),
  t_overlappedBy: (ss, se, _es, ee) => and([more(ss), less(se), more(ee)]),
  t_overlaps: (ss, _se, es, ee) => and([less(ss), more(es), less(ee)]),
  t_startedBy: (ss, _se, _es, ee) => and([same(ss), more(ee)]),
  t_starts: (ss, _se, _es, ee) => and([same(ss), less(ee)]),
}
type Sign = number | null
const less = (sign: Sign): Truth => (sign === null ? null : sign < 0)
const more = (sign: Sign): Truth => (sign === null ? null : sign > 0)
const same = (sign: Sign): Truth => (sign === null ? null : sign === 0)
const signOf = (a: number | null, b: number | null): Sign =>
  a === null || b === null ? null : a < b ? -1 : a > b ? 1 : 0

function temporal(item: Evaluated, name: string, left: unknown, right: unknown): Truth {
  const [a, b] = [spanOf(item, left), spanOf(item, right)]
  return relations[name]!(
    signOf(a.start, b.start),
    signOf(a.start, b.end),
    signOf(a.end, b.start),
    signOf(a.end, b.end),
  )
}

function sets(name: string, left: unknown, right: unknown): Truth {
  if (!Array.isArray(left) || !Array.isArray(right)) return null
  const [a, b] = [left, right].map((list) => new Set(list.map((member) => JSON.stringify(member)))) as [
    Set<string>,
    Set<string>,
  ]
  const holds = (whole: Set<string>, part: Set<string>): boolean => [...part].every((member) => whole.has(member))
  if (name === 'a_overlaps') return [...a].some((member) => b.has(member))
  if (name === 'a_equals') return holds(a, b) && holds(b, a)
  return name === 'a_contains' ? holds(a, b) : holds(b, a)
}

/** Whether the item matches; null for unknown. */
export function evaluate(item: Evaluated, filter: unknown): Truth {
  if (!isNode(filter) || filter.op === undefined) {
    const value = valueOf(item, filter)
    return typeof value === 'boolean' ? value : null
  }
  const { op, args = [] } = filter
  if (op === 'and') return and(args.map((part) => evaluate(item, part)))
  if (op === 'or') return or(args.map((part) => evaluate(item, part)))
  if (op === 'not') return not(evaluate(item, args[0]))
  if (op === 'isNull') return valueOf(item, args[0]) === null
  if (op.startsWith('t_')) return temporal(item, op, args[0], args[1])
  const values = args.map((argument) => valueOf(item, argument))
  const [first = null, second = null, third = null] = values
  if (op.startsWith('a_')) return sets(op, first, second)
  if (op === 'like') return like(first, second)
  if (op === 'between') return and([compare('>=', first, second), compare('<=', first, third)])
  if (op === 'in') return or((second as readonly Scalar[]).map((term) => compare('=', first, term)))
  if (comparisons[op]) return compare(op, first, second)
  throw new Error(`no test evaluates ${op}`)
}
