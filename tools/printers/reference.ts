import type { ActsOn, PermittedCallers } from '../../packages/contract/src/access.ts'
import type { Operation } from '../../packages/contract/src/operation.ts'
import { commonProblems } from '../../packages/contract/src/problems.ts'
import { queryParameterAliases, operationRegistry } from '../../packages/contract/src/registry.ts'
import { contractRoutes } from '../../packages/contract/src/routes.ts'
import { apiReferencePath, renderHtmlPage } from '../../packages/server/src/http/pages/docs-page.ts'
import { escapeHtml } from '../../packages/server/src/platform/html/escape-html.ts'
import { type JsonSchema, type NamedSchemas, toPlainSchema, withReferences } from './json-schema.ts'
import { printType } from './type-text.ts'

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`

/** Text of the contract, which marks code with backticks. */
const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const problemLinks = (names: readonly string[]): string =>
  names.map((name) => `<a href="/problems/${name}"><code>${name}</code></a>`).join(', ')

/** The type with links to the named schemas in it. */
function typeText(schema: JsonSchema, { schemas }: NamedSchemas): string {
  const text = escapeHtml(printType(schema)).replaceAll(/\b[A-Z]\w*\b/g, (name) =>
    schemas.has(name) ? `<a href="${apiReferencePath}/schemas#${name}">${name}</a>` : name,
  )
  return `<code>${text}</code>`
}

/** One row per field. */
function fieldTable(schema: JsonSchema, namedSchemas: NamedSchemas): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const defaultText = field.default === undefined ? '' : code(JSON.stringify(field.default))
    const need = schema.required?.includes(name) ? 'yes' : defaultText
    const sentence = [field, ...(field.anyOf ?? [])].map((part) => part.description).find((part) => part !== undefined)
    return `<tr><td>${code(name)}</td><td>${typeText(field, namedSchemas)}</td><td>${need}</td><td>${prose(sentence ?? '')}</td></tr>`
  })
  return `<table><tr><th>Field</th><th>Type</th><th>Required, or default</th><th></th></tr>${rows.join('')}</table>`
}

function inputPart(operation: Operation, namedSchemas: NamedSchemas): string {
  const input = withReferences(toPlainSchema(operation.input), namedSchemas)
  if (Object.keys(input.properties ?? {}).length === 0) return '<p>Takes no input.</p>'
  return `<h3>Input</h3>${fieldTable(input, namedSchemas)}`
}

const responseTexts: Readonly<Record<Operation['response_kind'], string>> = {
  json: '',
  bytes: 'bytes: ',
  'event-stream': 'Server-Sent Events, the data of each: ',
  ndjson: 'NDJSON, each line: ',
}

function outputPart({ response_kind: kind, status, output }: Operation, namedSchemas: NamedSchemas): string {
  const plain = toPlainSchema(output)
  const schema = withReferences(plain, namedSchemas)
  const begin = `<h3>Output</h3><p>${status} with ${responseTexts[kind]}`
  if (kind === 'bytes') return `${begin}${code(String(plain['contentMediaType']))}</p>`
  if (schema.properties) return `${begin}an object</p>${fieldTable(schema, namedSchemas)}`
  return `${begin}${typeText(schema, namedSchemas)}</p>`
}

function printRoutes(operation: Operation): string {
  const canonical = [`POST /v1/op/${operation.id}`, `POST /v1/${operation.id.replaceAll('.', '/')}`]
  const aliases = Object.entries(queryParameterAliases[operation.id] ?? {}).map(
    ([alias, field]) => `, ${code(alias)} for ${code(field)}`,
  )
  const operationRoutes = operation.effect === 'read' ? [...canonical, `GET /v1/op/${operation.id}`] : canonical
  const apiRoutes = contractRoutes.filter((route) => route.operation === operation.id && route.successor === undefined)
  const all = [...operationRoutes, ...apiRoutes.map((route) => `${route.method} ${route.path}`)]
  return `${all.map(code).join(' · ')}${aliases.join('')}`
}

const describeCallers: Readonly<Record<Exclude<PermittedCallers, 'any'>, string>> = {
  users: 'for users, not for API keys',
  'users-and-named-keys': 'for users, and API keys that have the scope by name',
  'interactive-users': 'for users in person: no API key, program of others or personal access token',
  'account-owners': 'for users in person whom no provider of an organization signed in',
}

const describeSubjects: Readonly<Record<ActsOn, string>> = {
  member: 'not on a member of a higher role',
  'project-member': 'not on a member of a higher role in the project',
}

function section(operation: Operation, namedSchemas: NamedSchemas): string {
  const attributes = [
    operation.scope === null ? 'Any token' : `Scope ${code(operation.scope)}`,
    operation.effect,
    ...(operation.permission === null ? [] : [`for the permission ${code(operation.permission)}`]),
    ...(operation.acts_on === null ? [] : [describeSubjects[operation.acts_on]]),
    ...(operation.callers === 'any' ? [] : [describeCallers[operation.callers]]),
    ...operation.alternative_media_types.map((mediaType) => `also as ${code(mediaType)}`),
    ...(operation.paging ? [`paging by ${operation.paging}`] : []),
    ...(operation.idempotent ? [`accepts an ${code('Idempotency-Key')}`] : []),
    ...(operation.public ? ['needs no token'] : []),
    ...(operation.body_limit_bytes === null ? [] : [`accepts bodies of up to ${operation.body_limit_bytes} bytes`]),
    ...(operation.extension ? ['an extension of the specified operations'] : []),
  ]
  return [
    `<h2 id="${operation.id}">${operation.id}</h2><p>${prose(operation.summary)}</p><p>${attributes.join(' · ')}.</p>`,
    `<p>${printRoutes(operation)}</p>`,
    inputPart(operation, namedSchemas),
    outputPart(operation, namedSchemas),
    `<p>Problems: ${problemLinks([...operation.problems, ...commonProblems])}.</p>`,
    ...(operation.emits.length > 0 ? [`<p>Emits: ${operation.emits.map(code).join(', ')}.</p>`] : []),
  ].join('')
}

const renderReferencePage = (name: string, parts: readonly string[]): string =>
  renderHtmlPage(`${name}: Swath API`, `<p><a href="/docs">All operations</a></p><h1>${name}</h1>${parts.join('')}`)

function schemasPage(namedSchemas: NamedSchemas): string {
  const parts = [...namedSchemas.schemas].map(([name, schema]) => {
    const referred = withReferences(schema, namedSchemas, true)
    const body = referred.properties ? fieldTable(referred, namedSchemas) : `<p>${typeText(referred, namedSchemas)}</p>`
    return `<h2 id="${name}">${name}</h2>${schema.description ? `<p>${prose(schema.description)}</p>` : ''}${body}`
  })
  return renderReferencePage('schemas', parts)
}

/** Prints a page of HTML for each first segment of an operation id, and one on schemas, by the last segment of its URL. */
export function printReference(namedSchemas: NamedSchemas): Map<string, string> {
  const modules = Map.groupBy(operationRegistry, (operation) => operation.id.split('.')[0] ?? '')
  return new Map([
    ...[...modules].map(([name, operations]) => {
      const sections = operations.map((operation) => section(operation, namedSchemas))
      return [name, renderReferencePage(name, sections)] as const
    }),
    ['schemas', schemasPage(namedSchemas)],
  ])
}
