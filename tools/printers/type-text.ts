import { nameOfReference, type JsonSchema } from './json-schema.ts'

const property = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

const primitiveTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function objectText(schema: JsonSchema): string {
  if (schema.properties) {
    const members = Object.entries(schema.properties).map(([name, inner]) => {
      const mark = schema.required?.includes(name) ? '' : '?'
      return `${property(name)}${mark}: ${printType(inner)}`
    })
    return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
  }
  const { additionalProperties } = schema
  return `Record<string, ${typeof additionalProperties === 'object' ? printType(additionalProperties) : 'unknown'}>`
}

/** Prints a schema as a TypeScript type on one line; references are printed by name. */
export function printType(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return nameOfReference(schema.$ref)
  if (schema.anyOf) return [...new Set(schema.anyOf.map(printType))].join(' | ')
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.contentMediaType !== undefined) return 'Uint8Array'
  if (schema.type === 'object') return objectText(schema)
  if (schema.type !== 'array') return primitiveTypes[schema.type ?? ''] ?? 'unknown'
  const item = printType(schema.items ?? {})
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`
}
