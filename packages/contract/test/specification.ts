import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One operation of the specification, whose rules are the pages of `docs/platform/` and whose operations are the data in
 * `operations.facts.json`. `input` or `output` is null if the specification leaves its fields open.
 */
export interface SpecifiedOperation {
  readonly scope: string
  readonly effect: string
  readonly status: number
  readonly idempotent: boolean
  readonly input: Readonly<Record<string, unknown>> | null
  readonly output: Readonly<Record<string, unknown>> | null
}

/**
 * One field. The specification writes `name*` for a required field, and types such as
 * `integer(minimum=1.0,maximum=500.0)? = 100`: constraints, `?` for nullable, the default.
 */
export interface SpecifiedField {
  readonly name: string
  readonly required: boolean
  readonly nullable: boolean
  readonly type: string
  readonly constraints: Readonly<Record<string, string>>
  readonly default: unknown
}

export const specifiedOperations = JSON.parse(
  readFileSync(join(import.meta.dirname, 'operations.facts.json'), 'utf8'),
) as Readonly<Record<string, SpecifiedOperation>>

const typePattern =
  /^(?<type>\[+\w+\]+|enum\([^)]*\)|\w+)(?:\((?<constraints>.*)\))?(?<nullable>\?)?(?: = (?<preset>.*))?$/

function constraintsOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  if (text.startsWith('pattern=')) return { pattern: text.slice('pattern='.length) }
  const comma = text.indexOf(',pattern=')
  const [plain, pattern] =
    comma < 0 ? [text, undefined] : [text.slice(0, comma), text.slice(comma + ',pattern='.length)]
  const pairs = plain.split(',').map((part) => part.split('=') as [string, string])
  return { ...Object.fromEntries(pairs), ...(pattern === undefined ? {} : { pattern }) }
}

/** The fields of the input or output of an operation. */
export function fieldsOf(fields: Readonly<Record<string, unknown>>): SpecifiedField[] {
  return Object.entries(fields).map(([key, value]) => {
    const name = key.replace(/\*$/, '')
    const base = { name, required: key.endsWith('*') }
    if (typeof value !== 'string') {
      const type = Array.isArray(value) ? '[object]' : 'object'
      return { ...base, nullable: false, type, constraints: {}, default: undefined }
    }
    const parts = typePattern.exec(value)?.groups
    if (!parts) throw new Error(`The field ${key} has the invalid type "${value}".`)
    return {
      ...base,
      nullable: parts['nullable'] === '?',
      type: parts['type'] ?? '',
      constraints: constraintsOf(parts['constraints']),
      default: parts['preset'] === undefined ? undefined : (JSON.parse(parts['preset']) as unknown),
    }
  })
}
