import type { Operation } from '../../packages/contract/src/operation.ts'
import { commonProblems, problems } from '../../packages/contract/src/problems.ts'
import { getAliases, registry } from '../../packages/contract/src/registry.ts'
import { routes } from '../../packages/contract/src/routes.ts'
import { plain, referring, type JsonSchema, type NamedShapes } from './json-schema.ts'
import { typeText } from './type-text.ts'

const printed = 'Generated from the contract by `npm run generate`; do not edit.'

const cell = (text: string): string => text.replaceAll('|', '\\|')

const problemLink = (name: string): string => `[\`${name}\`](problems.md#${name})`

/** One row per field; named schemas are described in `schemas.md`. */
function fieldTable(schema: JsonSchema): string[] {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false
    const preset = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``
    const sentence = [field, ...(field.anyOf ?? [])].map((part) => part.description).find((part) => part !== undefined)
    return `| \`${name}\` | \`${cell(typeText(field))}\` | ${isRequired ? 'yes' : preset} | ${cell(sentence ?? '')} |`
  })
  return ['| Field | Type | Required, or default | |', '| --- | --- | --- | --- |', ...rows]
}

function inputPart(operation: Operation, shapes: NamedShapes): string[] {
  const input = referring(plain(operation.input), shapes)
  if (Object.keys(input.properties ?? {}).length === 0) return ['Takes no input.']
  return ['**Input**', '', ...fieldTable(input)]
}

function outputPart(operation: Operation, shapes: NamedShapes): string[] {
  if (operation.answer === 'bytes') {
    return [`Returns ${operation.status} with bytes: ${String(plain(operation.output)['contentMediaType'])}.`]
  }
  const output = referring(plain(operation.output), shapes)
  const form = operation.answer === 'ndjson' ? `${operation.status} with NDJSON, each line` : `${operation.status} with`
  if (output.$ref !== undefined) return [`Returns ${form} \`${typeText(output)}\` ([schemas](schemas.md)).`]
  return [`Returns ${form}`, '', ...fieldTable(output)]
}

function addresses(operation: Operation): string {
  const canonical = [`POST /v1/op/${operation.id}`, `POST /v1/${operation.id.replaceAll('.', '/')}`]
  const aliases = Object.entries(getAliases[operation.id] ?? {}).map(
    ([alias, field]) => `, \`${alias}\` for \`${field}\``,
  )
  const doors = operation.effect === 'read' ? [...canonical, `GET /v1/op/${operation.id}`] : canonical
  const facades = routes.filter((route) => route.operation === operation.id && route.successor === undefined)
  const all = [...doors, ...facades.map((route) => `${route.method} ${route.path}`)]
  return `${all.map((address) => `\`${address}\``).join(' · ')}${aliases.join('')}`
}

function section(operation: Operation, shapes: NamedShapes): string {
  const facts = [
    operation.scope === null ? 'Any token' : `Scope \`${operation.scope}\``,
    operation.effect,
    ...operation.alternatives.map((mediaType) => `also as \`${mediaType}\``),
    ...(operation.paging ? [`paging by ${operation.paging}`] : []),
    ...(operation.idempotent ? ['accepts an `Idempotency-Key`'] : []),
    ...(operation.public ? ['needs no token'] : []),
    ...(operation.extension ? ['extension of the specification'] : []),
    ...(operation.answered ? [] : [`not implemented (${problemLink('not-implemented')})`]),
  ]
  const own = operation.problems.map(problemLink).join(', ')
  return [
    `## ${operation.id}`,
    '',
    operation.summary,
    '',
    `${facts.join(' · ')}.`,
    '',
    addresses(operation),
    '',
    ...inputPart(operation, shapes),
    '',
    ...outputPart(operation, shapes),
    ...(own ? ['', `Problems: ${own}, and the [common ones](problems.md).`] : []),
    ...(operation.emits.length > 0 ? ['', `Emits: ${operation.emits.map((kind) => `\`${kind}\``).join(', ')}.`] : []),
  ].join('\n')
}

function wordPage(word: string, operations: readonly Operation[], shapes: NamedShapes): string {
  const parts = operations.map((operation) => section(operation, shapes))
  return `${[`# ${word}`, printed, ...parts].join('\n\n')}\n`
}

function shapesPage(shapes: NamedShapes): string {
  const parts = [...shapes.schemas].map(([name, schema]) => {
    const referred = referring(schema, shapes, true)
    const body = referred.properties ? fieldTable(referred) : [`\`${typeText(referred)}\``]
    return [`## ${name}`, '', ...(schema.description ? [schema.description, ''] : []), ...body].join('\n')
  })
  return `${['# Schemas', printed, ...parts].join('\n\n')}\n`
}

function problemsPage(): string {
  const rows = Object.entries(problems).map(([name, row]) =>
    [`## ${name}`, '', `${row.status} ${row.title}. ${row.meaning}`].join('\n'),
  )
  const introduction = `Any call may return ${commonProblems.map((name) => `[\`${name}\`](#${name})`).join(', ')}.`
  return `${['# Problems', printed, introduction, ...rows].join('\n\n')}\n`
}

function contentsPage(words: ReadonlyMap<string, readonly Operation[]>): string {
  const rows = [...words].map(([word, operations]) => `- [${word}](${word}.md): ${operations.length}`)
  const rest = ['- [schemas](schemas.md)', '- [problems](problems.md)']
  return `${['# Reference', printed, [...rows, ...rest].join('\n')].join('\n\n')}\n`
}

/** Prints one page per first segment of an operation id, and pages on schemas and problems, by file name. */
export function printReference(shapes: NamedShapes): Map<string, string> {
  const words = Map.groupBy(registry, (operation) => operation.id.split('.')[0] ?? '')
  return new Map([
    ['README.md', contentsPage(words)],
    ...[...words].map(([word, operations]) => [`${word}.md`, wordPage(word, operations, shapes)] as const),
    ['problems.md', problemsPage()],
    ['schemas.md', shapesPage(shapes)],
  ])
}
