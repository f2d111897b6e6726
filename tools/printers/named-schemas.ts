import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { withPlayMoneyField } from '../../packages/contract/src/play-money.ts'
import { operationRegistry } from '../../packages/contract/src/registry.ts'
import { toPlainSchema, schemaText, type NamedSchemas } from './json-schema.ts'

const folder = join(import.meta.dirname, '..', '..', 'packages', 'contract', 'src', 'schemas')

/** Shorter schemas are printed inline. */
const min_characters = 150

/** Every schema that a file of `schemas`, or of a folder in it, exports, by export name. */
export async function readNamedSchemas(): Promise<NamedSchemas> {
  const schemas = new Map<string, ReturnType<typeof toPlainSchema>>()
  const names = new Map<string, string>()
  const outputs = new Set(operationRegistry.map(({ output }) => schemaText(toPlainSchema(output))))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  for (const file of files.sort()) {
    const module = (await import(join(folder, file))) as Record<string, unknown>
    for (const name of Object.keys(module).sort()) {
      const value = module[name]
      if (!/^[A-Z]/.test(name) || !Type.IsSchema(value)) continue
      const schema = toPlainSchema(value)
      const text = schemaText(schema)
      if (text.length < min_characters || names.has(text)) continue
      if (schemas.has(name)) throw new Error(`Two files of schemas export ${name}.`)
      // A schema that is an output as a whole may also say that its money is worth nothing.
      const shown = toPlainSchema(withPlayMoneyField(value))
      const isOutput = outputs.has(schemaText(shown))
      schemas.set(name, isOutput ? shown : schema)
      names.set(text, name)
      if (isOutput) names.set(schemaText(shown), name)
    }
  }
  return { schemas: new Map([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))), names }
}
