import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import type { Fault } from './problem.ts'

/** Errors beyond this number are not looked for, to bound the cost of an invalid input. */
const mostFaults = 50

/** The schema keywords that are walked into. */
interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

type Members = Readonly<Record<string, unknown>>

/**
 * The validation errors of a value that does not match its schema: at most 50, one per path. Only parts that do not match
 * are walked into, with compiled validators, so finding one error costs about as much as validating the whole value.
 */
export function findFaults(schema: TSchema, value: unknown): Fault[] {
  const faults = new Map<string, Fault>()
  walk(schema, value, '', faults)
  if (faults.size === 0) addAll(faults, errorsOf(schema, value, ''))
  const all = [...faults.values()]
  // For a nullable field, only the errors of the value are useful.
  const telling = all.filter(({ message }) => message !== 'must be null')
  return telling.length > 0 ? telling : all
}

const compiled = new WeakMap<TSchema, Validator>()

/** Validates with a validator that is compiled once per subschema. */
function fits(schema: TSchema, value: unknown): boolean {
  const known = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, known)
  return known.Check(value)
}

const isFull = (faults: ReadonlyMap<string, Fault>): boolean => faults.size >= mostFaults

function addAll(faults: Map<string, Fault>, found: Iterable<Fault>): void {
  for (const fault of found) {
    if (isFull(faults)) return
    if (!faults.has(fault.path)) faults.set(fault.path, fault)
  }
}

const below = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`)

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function walk(schema: TSchema, value: unknown, path: string, faults: Map<string, Fault>): void {
  const shape = schema as Shape
  const meant = shape.anyOf && alternativeOf(shape.anyOf, value)
  if (meant) return walk(meant, value, path, faults)
  if (shape.properties && isMembers(value)) return walkMembers(shape, value, path, faults)
  if (shape.items && !Array.isArray(shape.items) && Array.isArray(value)) {
    const { items, ...whole } = shape
    addAll(faults, errorsOf(whole as TSchema, value, path))
    return walkItems(items, value as unknown[], path, faults)
  }
  addAll(faults, errorsOf(schema, value, path))
}

/** The alternative that a value is meant to match: the only one beside null, or the one whose `type` it has. */
function alternativeOf(anyOf: readonly TSchema[], value: unknown): TSchema | undefined {
  if (value === null) return undefined
  const others = anyOf.filter((schema) => (schema as Shape).type !== 'null')
  if (others.length === 1) return others[0]
  if (!isMembers(value) || typeof value['type'] !== 'string') return undefined
  return others.find((schema) => {
    const { properties, anyOf: inner } = schema as Shape
    if (inner) return alternativeOf(inner, value) !== undefined
    return (properties?.['type'] as Shape | undefined)?.const === value['type']
  })
}

function walkMembers(shape: Shape, value: Members, path: string, faults: Map<string, Fault>): void {
  const { properties = {}, required = [], additionalProperties } = shape
  for (const name of required) {
    if (!Object.hasOwn(value, name)) addAll(faults, [{ path: below(path, name), message: 'is required' }])
  }
  if (additionalProperties === false) {
    for (const name in value) {
      if (isFull(faults)) return
      if (Object.hasOwn(properties, name)) continue
      addAll(faults, [{ path: below(path, name), message: 'is not a field of this operation' }])
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    if (isFull(faults)) return
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member !== undefined && !fits(property, member)) walk(property, member, below(path, name), faults)
  }
}

function walkItems(schema: TSchema, items: readonly unknown[], path: string, faults: Map<string, Fault>): void {
  for (const [index, item] of items.entries()) {
    if (isFull(faults)) return
    if (!fits(schema, item)) walk(schema, item, below(path, index), faults)
  }
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: object
}

/** The library's errors of a subschema that is not walked into; it stops after a few by itself. */
function* errorsOf(schema: TSchema, value: unknown, path: string): Generator<Fault> {
  for (const error of Value.Errors(schema, value)) yield* expand(error, path)
}

const namesOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Converts one library error to field errors: missing and unknown members get their own path. */
function* expand(error: SchemaError, path: string): Generator<Fault> {
  const at = namesOf(error.instancePath).reduce(below, path)
  const params = error.params as { requiredProperties?: string[]; additionalProperties?: string[] }
  if (error.keyword === 'required') {
    for (const name of params.requiredProperties ?? []) yield { path: below(at, name), message: 'is required' }
  } else if (error.keyword === 'additionalProperties') {
    for (const name of params.additionalProperties ?? []) {
      yield { path: below(at, name), message: 'is not a field of this operation' }
    }
  } else {
    // The keyword `boolean` means the schema `false`, which an unknown member has.
    yield { path: at, message: error.keyword === 'boolean' ? 'is not a field of this operation' : error.message }
  }
}
