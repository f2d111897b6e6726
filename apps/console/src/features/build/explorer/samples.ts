import { toCurl } from '../../../api/curl.ts'

export const languages = ['curl', 'python', 'javascript'] as const
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

const writePython = (origin: string, operation: string, input: object): string =>
  [
    'import os',
    'import requests',
    '',
    'response = requests.post(',
    `    "${origin}/v1/op/${operation}",`,
    '    headers={"Authorization": f"Bearer {os.environ[\'SWATH_TOKEN\']}"},',
    `    json=${toPython(input, 1)},`,
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n')

const writeJavaScript = (origin: string, operation: string, input: object): string =>
  [
    `const response = await fetch('${origin}/v1/op/${operation}', {`,
    "  method: 'POST',",
    '  headers: {',
    '    authorization: `Bearer ${process.env.SWATH_TOKEN}`,',
    "    'content-type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${JSON.stringify(input, null, 2).replaceAll('\n', '\n  ')}),`,
    '})',
    'if (!response.ok) throw new Error(await response.text())',
    'console.log(await response.text())',
  ].join('\n')

const writers: Readonly<Record<Language, (origin: string, operation: string, input: object) => string>> = {
  curl: toCurl,
  python: writePython,
  javascript: writeJavaScript,
}

/** A call as a program in a language; the token stays a variable of the environment. */
export const writeSample = (language: Language, origin: string, operation: string, input: object): string =>
  writers[language](origin, operation, input)
