import { registry } from '../../packages/contract/src/registry.ts'
import { plain, type JsonSchema } from './json-schema.ts'

/** The file that lists every operation and field of the contract with its version. */
export const surfacePath = 'docs/contract-surface.txt'

/** The sub-schemas that may contain fields, each with its path suffix. */
function partsOf(schema: JsonSchema): (readonly [suffix: string, part: JsonSchema])[] {
  const { anyOf = [], items, additionalProperties: rest, properties = {} } = schema
  return [
    ...Object.entries(properties).map(([name, part]) => [`.${name}`, part] as const),
    ...anyOf.map((part) => ['', part] as const),
    ...(items ? [['[]', items] as const] : []),
    ...(typeof rest === 'object' ? [['.*', rest] as const] : []),
  ]
}

const namesIn = (schema: JsonSchema): string[] =>
  partsOf(schema).flatMap(([suffix, part]) => [
    ...(suffix.startsWith('.') ? [suffix] : []),
    ...namesIn(part).map((name) => `${suffix}${name}`),
  ])

const fieldsOf = (schema: unknown): string[] => [...new Set(namesIn(plain(schema)))].map((name) => name.slice(1)).sort()

/** One operation: its id, its input fields (`<`) and its output fields (`>`). */
function linesOf({ id, input, output }: Pick<(typeof registry)[number], 'id' | 'input' | 'output'>): string[] {
  return [id, ...fieldsOf(input).map((name) => `< ${name}`), ...fieldsOf(output).map((name) => `> ${name}`)]
}

/** The committed list: the version, then one operation or field per line. */
export const printSurface = (
  version: string,
  operations: readonly Parameters<typeof linesOf>[0][] = registry,
): string => [`version ${version}`, ...operations.flatMap(linesOf), ''].join('\n')

interface Surface {
  readonly version: readonly number[]
  /** Operation ids, and fields prefixed with the id of their operation. */
  readonly names: ReadonlySet<string>
}

function readSurface(text: string): Surface {
  const [first = '', ...lines] = text.split('\n')
  let operation = ''
  const names = lines.filter(Boolean).map((line) => {
    if (/^[<>] /.test(line)) return `${operation} ${line}`
    operation = line
    return line
  })
  return { version: first.replace('version ', '').split('.').map(Number), names: new Set(names) }
}

const isHigher = (left: readonly number[], right: readonly number[]): boolean => {
  const at = left.findIndex((part, index) => part !== right[index])
  return at >= 0 && left[at]! > (right[at] ?? 0)
}

const most_shown = 5

/**
 * An error message if operations or fields were added or removed since the committed list without a higher version. Null
 * otherwise, and if there is no committed list.
 */
export function versionFault(committed: string | null, now: string): string | null {
  if (committed === null) return null
  const [before, after] = [readSurface(committed), readSurface(now)]
  if (isHigher(after.version, before.version)) return null
  const gained = [...after.names].filter((name) => !before.names.has(name))
  const lost = [...before.names].filter((name) => !after.names.has(name))
  if (gained.length + lost.length === 0 && !isHigher(before.version, after.version)) return null
  const shown = [...gained.map((name) => `+ ${name}`), ...lost.map((name) => `- ${name}`)].slice(0, most_shown)
  return [
    `the contract changed: raise its version above ${before.version.join('.')} in packages/contract/src/version.ts`,
  ]
    .concat(shown)
    .join('\n  ')
}
