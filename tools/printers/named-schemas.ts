import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { toPlainSchema, schemaText, type NamedSchemas } from './json-schema.ts'

const folder = join(import.meta.dirname, '..', '..', 'packages', 'contract', 'src', 'schemas')

/** Shorter schemas are printed inline. */
const min_characters = 150

/** Every schema that a file of `schemas` exports, by export name. */
export async function readNamedSchemas(): Promise<NamedSchemas> {
  const schemas = new Map<string, ReturnType<typeof toPlainSchema>>()
  const names = new Map<string, string>()
  for (const file of readdirSync(folder).sort()) {
    const module = (await import(join(folder, file))) as Record<string, unknown>
    for (const name of Object.keys(module).sort()) {
      const value = module[name]
      if (!/^[A-Z]/.test(name) || !Type.IsSchema(value)) continue
      const schema = toPlainSchema(value)
      const text = schemaText(schema)
      if (text.length < min_characters || names.has(text)) continue
      if (schemas.has(name)) throw new Error(`Two files of schemas export ${name}.`)
      schemas.set(name, schema)
      names.set(text, name)
    }
  }
  return { schemas: new Map([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))), names }
}
