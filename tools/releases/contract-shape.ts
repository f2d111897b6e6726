import { nameOfReference, type JsonSchema } from '../printers/json-schema.ts'

interface Content {
  readonly schema?: JsonSchema
}

/** The members of the OpenAPI document that a comparison reads. */
export interface ContractDocument {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, { readonly post: DocumentOperation }>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

export interface DocumentOperation {
  readonly operationId: string
  readonly requestBody: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
  readonly 'x-scope': string | null
  readonly 'x-callers'?: string
  readonly 'x-effect': string
  readonly 'x-addresses': readonly string[]
}

const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const
const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const

/** The constraints of a schema on the value at one path. */
export interface ValueShape {
  /** Names of types; where only some values are allowed, these as JSON text. */
  readonly types: ReadonlySet<string>
  readonly required: boolean
  /** The largest and the smallest numbers and lengths, by keyword; absent: none. */
  readonly upper: Readonly<Record<string, number>>
  readonly lower: Readonly<Record<string, number>>
  /** Patterns, formats and the like that every string has. */
  readonly forms: ReadonlySet<string>
}

/** The values of an input or an output by path, such as `rows[].id`; that of the whole is empty. */
export type ContractShape = ReadonlyMap<string, ValueShape>

const listBounds = (schema: JsonSchema, keywords: readonly string[]): Record<string, number> =>
  Object.fromEntries(keywords.flatMap((word) => (typeof schema[word] === 'number' ? [[word, schema[word]]] : [])))

function listTypes({ type, enum: choices, const: only }: JsonSchema): string[] {
  if (choices) return choices.map((value) => JSON.stringify(value))
  if (only !== undefined) return [JSON.stringify(only)]
  return [type ?? 'any']
}

const shapeOf = (schema: JsonSchema, required: boolean): ValueShape => ({
  types: new Set(listTypes(schema)),
  required,
  upper: listBounds(schema, upperBounds),
  lower: listBounds(schema, lowerBounds),
  forms: new Set(['pattern', 'format'].flatMap((word) => (schema[word] ? [`${word} ${String(schema[word])}`] : []))),
})

const isNull = ({ types }: ValueShape): boolean => types.size === 1 && types.has('null')

/** The bounds that both have, each the wider one. */
const widen = (
  left: Readonly<Record<string, number>>,
  right: Readonly<Record<string, number>>,
  choose: (...values: number[]) => number,
): Record<string, number> =>
  Object.fromEntries(
    Object.entries(left).flatMap(([word, value]) =>
      right[word] === undefined ? [] : [[word, choose(value, right[word])]],
    ),
  )

/** Of a value that is allowed to have either shape. Null has no bounds and takes none away. */
function joinShapes(left: ValueShape, right: ValueShape): ValueShape {
  const types = new Set([...left.types, ...right.types])
  const required = left.required && right.required
  if (isNull(left)) return { ...right, types, required }
  if (isNull(right)) return { ...left, types, required }
  return {
    types,
    required,
    upper: widen(left.upper, right.upper, Math.max),
    lower: widen(left.lower, right.lower, Math.min),
    forms: new Set([...left.forms].filter((form) => right.forms.has(form))),
  }
}

/** Lists the constraints of a schema on each value in it, with its references resolved. */
export function listShapes(root: JsonSchema, { components }: ContractDocument): ContractShape {
  const shapes = new Map<string, ValueShape>()
  const add = (path: string, shape: ValueShape): void => {
    const present = shapes.get(path)
    shapes.set(path, present ? joinShapes(present, shape) : shape)
  }
  const visit = (schema: JsonSchema, path: string, required: boolean, within: readonly string[]): void => {
    if (schema.$ref !== undefined) {
      const name = nameOfReference(schema.$ref)
      const named = components.schemas[name] ?? {}
      // A schema that contains itself says nothing new below the second time.
      if (within.includes(name)) add(path, shapeOf(named, required))
      else visit(named, path, required, [...within, name])
      return
    }
    if (schema.anyOf) {
      for (const part of schema.anyOf) visit(part, path, required, within)
      return
    }
    add(path, shapeOf(schema, required))
    for (const [name, part] of Object.entries(schema.properties ?? {}))
      visit(part, path === '' ? name : `${path}.${name}`, schema.required?.includes(name) ?? false, within)
    if (schema.items) visit(schema.items, `${path}[]`, false, within)
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, `${path}.*`, false, within)
  }
  visit(root, '', true, [])
  return shapes
}
