import { nameOfReference, type JsonSchema } from './json-schema.ts'

export interface TypeTextOptions {
  /** The type of a reference to a named schema. */
  readonly nameOf?: (name: string) => string
  /** Texts of a newer server belong to the type, too: `'a' | 'b' | (string & {})`. */
  readonly isOpen?: boolean
  /** Objects of any members are printed as `object`, which takes a value of any interface; it cannot be read from. */
  readonly isInput?: boolean
  /** One member per line, with its description as doc comment. */
  readonly hasDocs?: boolean
}

const property = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

const primitiveTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** A text as doc comment. */
export const docComment = (text: string): string => `/** ${text.replaceAll('*/', '*\\/')} */`

export const indent = (text: string): string => text.replaceAll('\n', '\n  ')

/** The description of a member with its default, or null. */
export function describeMember({ description, default: defaultValue }: JsonSchema): string | null {
  const isTold = defaultValue !== undefined && !(description ?? '').includes('efault')
  const parts = [
    ...(description === undefined ? [] : [description]),
    ...(isTold ? [`Default \`${JSON.stringify(defaultValue)}\`.`] : []),
  ]
  return parts.length === 0 ? null : parts.join(' ')
}

function objectText(schema: JsonSchema, options: TypeTextOptions): string {
  const { additionalProperties, properties } = schema
  if (!properties) {
    if (options.isInput && typeof additionalProperties !== 'object') return 'object'
    const rest = typeof additionalProperties === 'object' ? printType(additionalProperties, options) : 'unknown'
    return `Record<string, ${rest}>`
  }
  const members = Object.entries(properties).map(([name, inner]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    const member = `${property(name)}${mark}: ${printType(inner, options)}`
    const description = options.hasDocs ? describeMember(inner) : null
    return description === null ? member : `${docComment(description)}\n${member}`
  })
  if (members.length === 0) return options.isOpen ? 'Record<string, unknown>' : 'Record<string, never>'
  return options.hasDocs ? `{\n  ${members.map(indent).join('\n  ')}\n}` : `{ ${members.join('; ')} }`
}

function enumText(values: readonly unknown[], { isOpen = false }: TypeTextOptions): string {
  const known = values.map(literal).join(' | ')
  return isOpen && values.every((value) => typeof value === 'string') ? `${known} | (string & {})` : known
}

/** Prints a schema as a TypeScript type, without options on one line; references are printed by name. */
export function printType(schema: JsonSchema, options: TypeTextOptions = {}): string {
  const { nameOf = (name: string) => name } = options
  if (schema.$ref !== undefined) return nameOf(nameOfReference(schema.$ref))
  if (schema.anyOf) return [...new Set(schema.anyOf.map((part) => printType(part, options)))].join(' | ')
  if (schema.enum) return enumText(schema.enum, options)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.contentMediaType !== undefined) return 'Uint8Array'
  if (schema.type === 'object') return objectText(schema, options)
  if (schema.type !== 'array') return primitiveTypes[schema.type ?? ''] ?? 'unknown'
  const item = printType(schema.items ?? {}, options)
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`
}
