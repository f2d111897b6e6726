import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import type { Operation } from '@swath/contract/operation.ts'
import { clampCoordinates } from './clamp-coordinates.ts'
import { dropAbsentOf } from './drop-absent.ts'
import { isOfFormat, type Edit } from './edit-members.ts'
import { findFaults } from './find-faults.ts'
import { parseJson } from './parse-json.ts'
import { invariant, Problem, validationProblem } from './problem.ts'
import { spellTimesOf } from './spell-times.ts'

/** The compiled validators and transforms of one operation. */
export interface Checks {
  readonly input: Validator
  readonly output: Validator
  /** Drops empty optional members, such as null in a member that is not nullable. */
  readonly dropAbsent: Edit
  /** Fills in the defaults of absent members; may change the body in place. */
  fill(body: unknown): unknown
  /** Names of the input members that are a UUID. */
  readonly ids: readonly string[]
  /** Converts times to RFC 3339. */
  readonly spellTimes: Edit
}

const checks = new Map<string, Checks>()

/** Compiled once per operation and cached. */
export function checksOf(operation: Operation): Checks {
  const known = checks.get(operation.id)
  if (known) return known
  const { input, output } = operation
  const made = {
    input: Compile(input),
    output: Compile(output),
    dropAbsent: dropAbsentOf(input),
    fill: filling(input),
    ids: Object.entries(propertiesOf(input)).flatMap(([name, property]) =>
      isOfFormat(property, 'uuid') ? [name] : [],
    ),
    spellTimes: spellTimesOf(input),
  }
  checks.set(operation.id, made)
  return made
}

const holdsDefault = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  ('default' in schema || Object.values(schema).some((inner) => holdsDefault(inner)))

/** Most defaults are top-level scalars: only members with nested defaults are walked. */
function filling(schema: TSchema): (body: unknown) => unknown {
  const { properties = {} } = schema as { properties?: Record<string, TSchema & { default?: unknown }> }
  const isPlain = (value: unknown): boolean => value === null || (value !== undefined && typeof value !== 'object')
  const holding = Object.entries(properties).filter(([, property]) => holdsDefault(property))
  const plain = holding.filter(([, property]) => isPlain(property.default))
  const deep = holding.filter(([, property]) => !isPlain(property.default))
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    const input = body as Record<string, unknown>
    for (const [name, property] of plain) if (input[name] === undefined) input[name] = property.default
    for (const [name, property] of deep) {
      const filled = Value.Default(property, input[name])
      if (filled !== undefined) input[name] = filled
    }
    return input
  }
}

/** The properties that a schema accepts, through unions and intersections. */
function propertiesOf(schema: TSchema): Record<string, TSchema> {
  const { properties, anyOf, allOf } = schema as {
    properties?: Record<string, TSchema>
    anyOf?: TSchema[]
    allOf?: TSchema[]
  }
  return Object.assign({}, properties, ...[...(anyOf ?? []), ...(allOf ?? [])].map(propertiesOf))
}

/** UUIDs are accepted in any case (RFC 9562) and normalized to lower case, so that equal ids are equal strings. */
function spellIds(input: Record<string, unknown>, ids: readonly string[]): void {
  for (const name of ids) {
    const id = input[name]
    if (typeof id === 'string') input[name] = id.toLowerCase()
  }
}

/**
 * The validated input of a call: empty optional members dropped, defaults filled in, times in RFC 3339, coordinates
 * clamped, UUIDs in lower case. A missing body and null count as `{}`. Throws `validation` with all errors (at most 50).
 */
export function readInput(operation: Operation, body: unknown, from: 'body' | 'query' = 'body'): unknown {
  const { input, dropAbsent, fill, ids, spellTimes } = checksOf(operation)
  const given = body ?? {}
  dropAbsent?.(given)
  const filled = fill(given)
  clampCoordinates(filled)
  spellTimes?.(filled)
  if (input.Check(filled)) {
    spellIds(filled as Record<string, unknown>, ids)
    return filled
  }
  throw validationProblem(findFaults(operation.input, filled), from)
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : String(value).split(','))

/** The item schema of an array schema, or of its first array alternative; null if there is none. */
function membersOf(schema: TSchema): TSchema | null {
  const { items, anyOf } = schema as { items?: TSchema; anyOf?: TSchema[] }
  return items ?? (anyOf ?? []).map(membersOf).find((found) => found !== null) ?? null
}

/** True if a schema, or one of its alternatives, has this JSON type. */
function takes(schema: TSchema, type: string): boolean {
  const { type: own, anyOf } = schema as { type?: string; anyOf?: TSchema[] }
  return own === type || (anyOf ?? []).some((inner) => takes(inner, type))
}

/**
 * Converts query parameters to the types that the schema requires. Arrays come as repeated parameters or comma-separated,
 * objects as JSON, booleans as `true`/`false`. A value that cannot be converted stays text and fails validation.
 */
export function inputFromQuery(
  operation: Operation,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const nul = Object.keys(query).find((name) => listOf(query[name]).some((text) => String(text).includes('\u0000')))
  if (nul !== undefined) throw validationProblem([{ path: nul, message: 'has a NUL character' }], 'query')
  const properties = propertiesOf(operation.input)
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, schema === undefined ? value : fromText(schema, value, name)]
    }),
  )
}

function fromText(schema: TSchema, value: unknown, name: string): unknown {
  if (typeof value === 'string' && /^\s*[[{]/.test(value) && (takes(schema, 'object') || takes(schema, 'array'))) {
    try {
      return parseJson(value, name)
    } catch (error) {
      // Text that is not JSON stays text, and validation rejects it with its path.
      if (error instanceof Problem && error.problem === 'malformed') return value
      throw error
    }
  }
  if (takes(schema, 'array')) {
    const member = membersOf(schema) ?? {}
    return listOf(value).map((part) => scalarFrom(member, part))
  }
  return scalarFrom(schema, value)
}

/** Decimal numbers; other texts that `Number` accepts (an empty one, `0x10`) stay text. */
const decimal = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

function scalarFrom(schema: TSchema, value: unknown): unknown {
  const single = Array.isArray(value) ? value.at(-1) : value
  if (takes(schema, 'boolean') && (single === 'true' || single === 'false')) return single === 'true'
  if ((takes(schema, 'integer') || takes(schema, 'number')) && typeof single === 'string' && decimal.test(single)) {
    const number = Number(single)
    if (Number.isFinite(number)) return number
  }
  return single
}

/** An output that does not match its schema is a bug: the caller gets a 500 rather than an invalid response. */
export function checkOutput(operation: Operation, output: unknown): void {
  if (checksOf(operation).output.Check(output)) return
  const [fault] = findFaults(operation.output, output)
  invariant(false, `the output of ${operation.id} does not match its schema at "${fault?.path}": ${fault?.message}`)
}
