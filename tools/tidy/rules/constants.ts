import type { SourceTree, TidyFinding, TidyRule } from '../tree.ts'

/** A constant of a module: a declaration without indentation. */
const declaration = /^(?:export )?const (\w+)/gm

const capitals = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/
const camelCase = /[a-z][A-Z]/
const snakeCase = /[a-z0-9]_[a-z0-9]/
/** A unit stays in snake_case: `defaultLifetime_s`. */
const unitSuffix = /_(ms|s|days|bytes|px|pixels|m|km|cents)$/

const numberLiteral = /^-?\d[\w.]*( [*+/-].*)?$/
const textLiteral = /^['"`]/

function findProblem(name: string, value: string, code: string): string | null {
  if (capitals.test(name)) return `${name} is in capitals: a constant is in camelCase, that of a number in snake_case`
  const isNumber = numberLiteral.test(value) && camelCase.test(name)
  const isText = textLiteral.test(value) && snakeCase.test(name.replace(unitSuffix, ''))
  if (!isNumber && !isText) return null
  // A constant that is a field of a request has the name of the field: `{ client_id }`.
  if (new RegExp(`\\{[^{}]*\\b${name}\\s*[,}]`).test(code)) return null
  return isNumber ? `${name} is a number: its name is in snake_case` : `${name} is a text: its name is in camelCase`
}

export const constantsRule: TidyRule = {
  name: 'constants',
  reason:
    'One spelling: a constant is in camelCase; that of a number is in snake_case, since its unit or bound is part of it.',
  check: (tree: SourceTree): TidyFinding[] =>
    [...tree.code].flatMap(([file, { text, code }]) =>
      [...code.matchAll(declaration)].flatMap(({ 1: name, index }) => {
        // In `code` the content of strings is blank; the value is read from the text, where it may be on the next line.
        const [, value = ''] = /^[^\n]*? =\s*([^\n]*)/.exec(text.slice(index)) ?? []
        const message = findProblem(name!, value, code)
        return message === null ? [] : [{ file, message }]
      }),
    ),
}
