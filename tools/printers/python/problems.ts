import { problemFields } from '../../../packages/contract/src/problem-fields.ts'
import { problems, type ProblemName } from '../../../packages/contract/src/problems.ts'
import { toPlainSchema, withReferences, type NamedSchemas } from '../json-schema.ts'
import { className, docstring, generatedHeader, identifier, quote } from './names.ts'
import { printFieldType, type PythonTypes } from './types.ts'

/** The class of a problem: `InsufficientCredits`. */
export const classOfProblem = (name: ProblemName): string => className(name)

function printClass(name: ProblemName, named: NamedSchemas): string {
  const { status, meaning } = problems[name]
  const fields = Object.entries(problemFields[name] ?? {}).flatMap(([field, schema]) => {
    const plain = toPlainSchema(schema)
    const type = printFieldType(withReferences(plain, named))
    return [
      `    ${identifier(field)}: ${type.includes('None') ? type : `${type} | None`}`,
      docstring(plain.description ?? '', '    '),
    ]
  })
  const head = [`class ${classOfProblem(name)}(ApiProblem):`, docstring(`${status} \`${name}\`: ${meaning}`, '    ')]
  return [...head, ...(fields.length === 0 ? [] : ['', ...fields])].join('\n')
}

/** Prints a class for each problem of the platform, and the table of classes by problem. */
export function printPythonProblems(named: NamedSchemas, { names }: Pick<PythonTypes, 'names'>): string {
  const all = Object.keys(problems) as ProblemName[]
  const classes = all.map((name) => printClass(name, named))
  const used = [...names]
    .filter((name) => classes.some((text) => new RegExp(`: .*\\b${name}\\b`).test(text)))
    .toSorted()
  return [
    generatedHeader,
    '',
    'from __future__ import annotations',
    '',
    'from typing import TYPE_CHECKING',
    '',
    'from .._problems import ApiProblem',
    ...(used.length === 0 ? [] : ['', 'if TYPE_CHECKING:', `    from .types import ${used.join(', ')}`]),
    '',
    `__all__ = [${all.map((name) => quote(classOfProblem(name))).join(', ')}]`,
    '',
    '',
    classes.join('\n\n\n'),
    '',
    '',
    'PROBLEM_CLASSES: dict[str, type[ApiProblem]] = {',
    ...all.map((name) => `    ${quote(name)}: ${classOfProblem(name)},`),
    '}',
    '',
  ].join('\n')
}
