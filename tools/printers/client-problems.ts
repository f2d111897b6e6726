import { problemFields } from '../../packages/contract/src/problem-fields.ts'
import { problems, type ProblemName } from '../../packages/contract/src/problems.ts'
import { generatedNotice } from './client-types.ts'
import { toPlainSchema, withReferences, type NamedSchemas } from './json-schema.ts'
import { docComment, printType } from './type-text.ts'

/** The class of a problem: `InsufficientCreditsError`. */
export const classOfProblem = (name: ProblemName): string =>
  `${name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`

const property = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`)

function printClass(name: ProblemName, named: NamedSchemas): string {
  const fields = Object.entries(problemFields[name] ?? {}).flatMap(([field, schema]) => {
    const plain = toPlainSchema(schema)
    const type = printType(withReferences(plain, named))
    return [`  ${docComment(plain.description ?? '')}`, `  declare readonly ${property(field)}?: ${type}`]
  })
  const { status, meaning } = problems[name]
  const head = `${docComment(`${status} \`${name}\`: ${meaning}`)}\nexport class ${classOfProblem(name)} extends ProblemError {`
  return fields.length === 0 ? `${head}}` : `${head}\n${fields.join('\n')}\n}`
}

/** Prints a class for each problem of the table, and the table of classes by problem. */
export function printProblemClasses(named: NamedSchemas): string {
  const names = Object.keys(problems) as ProblemName[]
  const classes = names.map((name) => printClass(name, named))
  const used = [...named.schemas.keys()].filter((name) => classes.some((text) => new RegExp(`: ${name}\\b`).test(text)))
  return [
    generatedNotice,
    ...(used.length === 0 ? [] : [`import type { ${used.join(', ')} } from '../operations.ts'`]),
    "import type { ProblemConstructor } from '../problem.ts'",
    "import { ProblemError } from './problem-error.ts'",
    '',
    classes.join('\n\n'),
    '',
    '/** The class of each problem of the platform. */',
    'export const problemClasses: Readonly<Record<string, ProblemConstructor>> = {',
    ...names.map((name) => `  ${property(name)}: ${classOfProblem(name)},`),
    '}',
    '',
  ].join('\n')
}
