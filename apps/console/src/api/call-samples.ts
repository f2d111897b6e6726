import { toCurl } from './curl.ts'

export const languages = ['curl', 'python', 'typescript'] as const
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

const writePython: Writer = (origin, operation, input, key) =>
  [
    ...(key === null ? ['import os', ''] : []),
    'import requests',
    '',
    `SWATH_KEY = ${key === null ? 'os.environ["SWATH_KEY"]' : JSON.stringify(key)}`,
    '',
    'response = requests.post(',
    `    "${origin}/v1/op/${operation}",`,
    '    headers={"Authorization": f"Bearer {SWATH_KEY}"},',
    `    json=${toPython(input, 1)},`,
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n')

const writeTypeScript: Writer = (origin, operation, input, key) =>
  [
    `const SWATH_KEY = ${key === null ? "process.env['SWATH_KEY']" : JSON.stringify(key)}`,
    `const response = await fetch('${origin}/v1/op/${operation}', {`,
    "  method: 'POST',",
    '  headers: {',
    '    authorization: `Bearer ${SWATH_KEY}`,',
    "    'content-type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${JSON.stringify(input, null, 2).replaceAll('\n', '\n  ')}),`,
    '})',
    'if (!response.ok) throw new Error(await response.text())',
    'console.log(await response.text())',
  ].join('\n')

const writers: Readonly<Record<Language, Writer>> = {
  curl: toCurl,
  python: writePython,
  typescript: writeTypeScript,
}

/** A call as a program in a language, which runs as it is if a key is passed. */
export const writeSample = (language: Language, ...call: Parameters<Writer>): string => writers[language](...call)
