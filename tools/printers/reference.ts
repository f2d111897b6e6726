import type { PermittedCallers } from '../../packages/contract/src/access.ts'
import type { Operation } from '../../packages/contract/src/operation.ts'
import { commonProblems, problems } from '../../packages/contract/src/problems.ts'
import { queryParameterAliases, registry } from '../../packages/contract/src/registry.ts'
import { routes } from '../../packages/contract/src/routes.ts'
import { toPlainSchema, withReferences, type JsonSchema, type NamedSchemas } from './json-schema.ts'
import { printType } from './type-text.ts'

const printed = 'Generated from the contract by `npm run generate`; do not edit.'

const cell = (text: string): string => text.replaceAll('|', '\\|')

const problemLink = (name: string): string => `[\`${name}\`](problems.md#${name})`

/** One row per field; named schemas are described in `schemas.md`. */
function fieldTable(schema: JsonSchema): string[] {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false
    const defaultText = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``
    const sentence = [field, ...(field.anyOf ?? [])].map((part) => part.description).find((part) => part !== undefined)
    return `| \`${name}\` | \`${cell(printType(field))}\` | ${isRequired ? 'yes' : defaultText} | ${cell(sentence ?? '')} |`
  })
  return ['| Field | Type | Required, or default | |', '| --- | --- | --- | --- |', ...rows]
}

function inputPart(operation: Operation, namedSchemas: NamedSchemas): string[] {
  const input = withReferences(toPlainSchema(operation.input), namedSchemas)
  if (Object.keys(input.properties ?? {}).length === 0) return ['Takes no input.']
  return ['**Input**', '', ...fieldTable(input)]
}

function outputPart(operation: Operation, namedSchemas: NamedSchemas): string[] {
  if (operation.response_kind === 'bytes') {
    return [`Returns ${operation.status} with bytes: ${String(toPlainSchema(operation.output)['contentMediaType'])}.`]
  }
  const output = withReferences(toPlainSchema(operation.output), namedSchemas)
  const description =
    operation.response_kind === 'event-stream'
      ? `${operation.status} with Server-Sent Events, the data of each`
      : operation.response_kind === 'ndjson'
        ? `${operation.status} with NDJSON, each line`
        : `${operation.status} with`
  if (output.$ref !== undefined) return [`Returns ${description} \`${printType(output)}\` ([schemas](schemas.md)).`]
  return [`Returns ${description}`, '', ...fieldTable(output)]
}

function printRoutes(operation: Operation): string {
  const canonical = [`POST /v1/op/${operation.id}`, `POST /v1/${operation.id.replaceAll('.', '/')}`]
  const aliases = Object.entries(queryParameterAliases[operation.id] ?? {}).map(
    ([alias, field]) => `, \`${alias}\` for \`${field}\``,
  )
  const operationRoutes = operation.effect === 'read' ? [...canonical, `GET /v1/op/${operation.id}`] : canonical
  const apiRoutes = routes.filter((route) => route.operation === operation.id && route.successor === undefined)
  const all = [...operationRoutes, ...apiRoutes.map((route) => `${route.method} ${route.path}`)]
  return `${all.map((address) => `\`${address}\``).join(' · ')}${aliases.join('')}`
}

const describeCallers: Readonly<Record<Exclude<PermittedCallers, 'any'>, string>> = {
  users: 'for users, not for API keys',
  'users-and-named-keys': 'for users, and API keys that have the scope by name',
}

function section(operation: Operation, namedSchemas: NamedSchemas): string {
  const attributes = [
    operation.scope === null ? 'Any token' : `Scope \`${operation.scope}\``,
    operation.effect,
    ...(operation.permission === null
      ? []
      : [`for the permission [${operation.permission}](../platform/identity.md#roles)`]),
    ...(operation.callers === 'any' ? [] : [describeCallers[operation.callers]]),
    ...operation.alternative_media_types.map((mediaType) => `also as \`${mediaType}\``),
    ...(operation.paging ? [`paging by ${operation.paging}`] : []),
    ...(operation.idempotent ? ['accepts an `Idempotency-Key`'] : []),
    ...(operation.public ? ['needs no token'] : []),
    ...(operation.body_limit_bytes === null ? ['accepts [large bodies](../platform/limits.md)'] : []),
    ...(operation.extension ? ['an [extension](../platform/conventions.md#extensions)'] : []),
  ]
  const ownProblems = operation.problems.map(problemLink).join(', ')
  return [
    `## ${operation.id}`,
    '',
    operation.summary,
    '',
    `${attributes.join(' · ')}.`,
    '',
    printRoutes(operation),
    '',
    ...inputPart(operation, namedSchemas),
    '',
    ...outputPart(operation, namedSchemas),
    ...(ownProblems ? ['', `Problems: ${ownProblems}, and the [common ones](problems.md).`] : []),
    ...(operation.emits.length > 0 ? ['', `Emits: ${operation.emits.map((kind) => `\`${kind}\``).join(', ')}.`] : []),
  ].join('\n')
}

function groupPage(group: string, operations: readonly Operation[], namedSchemas: NamedSchemas): string {
  const parts = operations.map((operation) => section(operation, namedSchemas))
  return `${[`# ${group}`, printed, ...parts].join('\n\n')}\n`
}

function schemasPage(namedSchemas: NamedSchemas): string {
  const parts = [...namedSchemas.schemas].map(([name, schema]) => {
    const referred = withReferences(schema, namedSchemas, true)
    const body = referred.properties ? fieldTable(referred) : [`\`${printType(referred)}\``]
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

function contentsPage(groups: ReadonlyMap<string, readonly Operation[]>): string {
  const rows = [...groups].map(([group, operations]) => `- [${group}](${group}.md): ${operations.length}`)
  const rest = ['- [schemas](schemas.md)', '- [problems](problems.md)']
  return `${['# Reference', printed, [...rows, ...rest].join('\n')].join('\n\n')}\n`
}

/** Prints one page per first segment of an operation id, and pages on schemas and problems, by file name. */
export function printReference(namedSchemas: NamedSchemas): Map<string, string> {
  const groups = Map.groupBy(registry, (operation) => operation.id.split('.')[0] ?? '')
  return new Map([
    ['README.md', contentsPage(groups)],
    ...[...groups].map(([group, operations]) => [`${group}.md`, groupPage(group, operations, namedSchemas)] as const),
    ['problems.md', problemsPage()],
    ['schemas.md', schemasPage(namedSchemas)],
  ])
}
