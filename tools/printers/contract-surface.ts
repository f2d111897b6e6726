import { operationRegistry } from '../../packages/contract/src/registry.ts'
import { toPlainSchema, type JsonSchema } from './json-schema.ts'

/** The file that lists every operation and field of the contract with its version. */
export const surfacePath = 'docs/contract-surface.txt'

/** The sub-schemas that may contain fields, each with its path suffix. */
function listParts(schema: JsonSchema): (readonly [suffix: string, part: JsonSchema])[] {
  const { anyOf = [], items, additionalProperties: rest, properties = {} } = schema
  return [
    ...Object.entries(properties).map(([name, part]) => [`.${name}`, part] as const),
    ...anyOf.map((part) => ['', part] as const),
    ...(items ? [['[]', items] as const] : []),
    ...(typeof rest === 'object' ? [['.*', rest] as const] : []),
  ]
}

const listNames = (schema: JsonSchema): string[] =>
  listParts(schema).flatMap(([suffix, part]) => [
    ...(suffix.startsWith('.') ? [suffix] : []),
    ...listNames(part).map((name) => `${suffix}${name}`),
  ])

const listFields = (schema: unknown): string[] =>
  [...new Set(listNames(toPlainSchema(schema)))].map((name) => name.slice(1)).sort()

/** One operation: its id, its scope and effect (`=`), its input fields (`<`) and its output fields (`>`). */
function printOperation({
  id,
  scope,
  effect,
  input,
  output,
}: Pick<(typeof operationRegistry)[number], 'id' | 'scope' | 'effect' | 'input' | 'output'>): string[] {
  return [
    id,
    `= ${scope ?? 'any token'}, ${effect}`,
    ...listFields(input).map((name) => `< ${name}`),
    ...listFields(output).map((name) => `> ${name}`),
  ]
}

/** The committed list: the version, then one operation, scope or field per line. */
export const printSurface = (
  version: string,
  operations: readonly Parameters<typeof printOperation>[0][] = operationRegistry,
): string => [`version ${version}`, ...operations.flatMap(printOperation), ''].join('\n')

interface Surface {
  readonly version: readonly number[]
  /** Operation ids, and scopes and fields prefixed with the id of their operation. */
  readonly names: ReadonlySet<string>
}

function readSurface(text: string): Surface {
  const [first = '', ...lines] = text.split('\n')
  let operation = ''
  const names = lines.filter(Boolean).map((line) => {
    if (/^[<>=] /.test(line)) return `${operation} ${line}`
    operation = line
    return line
  })
  return { version: first.replace('version ', '').split('.').map(Number), names: new Set(names) }
}

const isHigher = (left: readonly number[], right: readonly number[]): boolean => {
  const firstDifference = left.findIndex((part, index) => part !== right[index])
  return firstDifference >= 0 && left[firstDifference]! > (right[firstDifference] ?? 0)
}

const max_shown = 5

/**
 * An error message if operations, scopes or fields were changed since the committed list without a higher version. Null
 * otherwise, and if there is no committed list.
 */
export function findVersionError(committed: string | null, now: string): string | null {
  if (committed === null) return null
  const [before, after] = [readSurface(committed), readSurface(now)]
  if (isHigher(after.version, before.version)) return null
  const added = [...after.names].filter((name) => !before.names.has(name))
  const removed = [...before.names].filter((name) => !after.names.has(name))
  if (added.length + removed.length === 0 && !isHigher(before.version, after.version)) return null
  const shown = [...added.map((name) => `+ ${name}`), ...removed.map((name) => `- ${name}`)].slice(0, max_shown)
  return [
    `the contract changed: raise its version above ${before.version.join('.')} in packages/contract/src/version.ts`,
  ]
    .concat(shown)
    .join('\n  ')
}
