import { manifest, type OperationId } from '@swath/client/operations.ts'
import { quote, toCurl } from './curl.ts'

export const languages = ['curl', 'swath', 'python', 'typescript'] as const
export type Language = (typeof languages)[number]

const indent = (depth: number): string => '    '.repeat(depth)

/** A value of JSON as Python writes it. */
export function toPython(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((one) => toPython(one, depth)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value)
  if (members.length === 0) return '{}'
  const lines = members.map(
    ([name, one]) => `${indent(depth + 1)}${JSON.stringify(name)}: ${toPython(one, depth + 1)},`,
  )
  return `{\n${lines.join('\n')}\n${indent(depth)}}`
}

/** Writes a call as a program; without a key it reads the variable `SWATH_KEY` of the environment. */
type Writer = (origin: string, operation: string, input: object, key: string | null) => string

/** Arguments that Python cannot name go in a dictionary, by the names of the wire. */
const isArgument = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !['from', 'in', 'class'].includes(name)

const writePython: Writer = (origin, operation, input, key) => {
  const names = Object.keys(input)
  const call = names.every(isArgument)
    ? `client.${operation}(${writeArguments(input)})`
    : `client.call(${JSON.stringify(operation)}, ${toPython(input)})`
  return [
    ...(key === null ? ['import os', ''] : []),
    'from swath import Swath',
    '',
    `client = Swath(${JSON.stringify(origin)}, key=${key === null ? 'os.environ["SWATH_KEY"]' : JSON.stringify(key)})`,
    ...printOutput(operation, call),
  ].join('\n')
}

/** Prints the first page of a list, and each value of a stream. */
function printOutput(operation: string, call: string): string[] {
  const [, paging, kind] = Object.hasOwn(manifest, operation) ? manifest[operation as OperationId] : []
  const isStream = kind === 'ndjson' || kind === 'event-stream'
  if (isStream) return [`for value in ${call}:`, `${indent(1)}print(value)`]
  const isTree = call.startsWith(`client.${operation}(`)
  return [`print(${call}${paging && isTree ? '.first_page()' : ''})`]
}

function writeArguments(input: object): string {
  const lines = Object.entries(input).map(([name, value]) => `${indent(1)}${name}=${toPython(value, 1)},\n`)
  return lines.length === 0 ? '' : `\n${lines.join('')}`
}

/** The command line, which reads both variables. */
const writeSwath: Writer = (origin, operation, input, key) =>
  [
    `export SWATH_ADDRESS=${quote(origin)}`,
    key === null ? '# With SWATH_KEY, an API key, or after: swath login' : `export SWATH_KEY=${quote(key)}`,
    `swath api ${operation} ${quote(JSON.stringify(input))}`,
  ].join('\n')

const writeTypeScript: Writer = (origin, operation, input, key) =>
  [
    "import { createSwath } from '@swath/client'",
    '',
    `const apiKey = ${key === null ? "process.env['SWATH_KEY']!" : JSON.stringify(key)}`,
    `const swath = createSwath({ baseUrl: ${JSON.stringify(origin)}, auth: { apiKey } })`,
    `console.log(await swath.${operation}(${JSON.stringify(input, null, 2)}))`,
  ].join('\n')

const writers: Readonly<Record<Language, Writer>> = {
  curl: toCurl,
  swath: writeSwath,
  python: writePython,
  typescript: writeTypeScript,
}

/** A call as a program in a language, which runs as it is if a key is passed. */
export const writeSample = (language: Language, ...call: Parameters<Writer>): string => writers[language](...call)
