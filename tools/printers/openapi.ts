import type { Operation } from '../../packages/contract/src/operation.ts'
import { problems, type ProblemName } from '../../packages/contract/src/problems.ts'
import { listPossibleProblems, operationRegistry } from '../../packages/contract/src/registry.ts'
import { routesDeprecatedSince, contractRoutes } from '../../packages/contract/src/routes.ts'
import { absentMemberMarker, rejectsNullMemberMarker } from '../../packages/contract/src/schemas/primitives.ts'
import { contractVersion } from '../../packages/contract/src/version.ts'
import { toPlainSchema, withReferences, type JsonSchema, type NamedSchemas } from './json-schema.ts'

const text = { type: 'string' } as const

/** The schema of a problem document. */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'RFC 9457 problem details, with extension members.',
  required: ['type', 'title', 'status'],
  properties: {
    type: { ...text, format: 'uri-reference', description: 'URL of the documentation of this problem.' },
    title: text,
    status: { type: 'integer' },
    trace_id: { ...text, description: 'Identifies the call in the log.' },
    detail: {
      anyOf: [
        text,
        {
          type: 'array',
          description:
            'With every 422, and with `invalid-parameter`: each error in the form that generated clients parse.',
          items: {
            type: 'object',
            properties: { loc: { type: 'array', items: {} }, msg: text, type: text },
          },
        },
      ],
    },
    errors: {
      type: 'array',
      description: 'With a 422: the path of each invalid value, and why it is invalid.',
      items: { type: 'object', required: ['path', 'message'], properties: { path: text, message: text } },
    },
  },
}

const takesNull = ({ type, anyOf, enum: choices, $ref, const: only }: JsonSchema): boolean =>
  anyOf ? anyOf.some(takesNull) : type === 'null' || (!type && !choices && !$ref && only === undefined)

const hasObjectDefault = ({ default: defaultValue }: JsonSchema): boolean =>
  typeof defaultValue === 'object' && defaultValue !== null

/** A property without the alternative for an absent value. */
function withoutAbsent({ anyOf = [], ...notes }: JsonSchema): JsonSchema {
  const named = anyOf.filter((inner) => !(absentMemberMarker in inner))
  return named.length === 1 ? { ...named[0], ...notes } : { anyOf: named, ...notes }
}

/** Null in an optional property of an input counts as absent: the generated schema allows it. */
function withNulls(schema: JsonSchema): JsonSchema {
  const { properties, required = [], anyOf, items } = schema
  if (anyOf) return { ...schema, anyOf: anyOf.map(withNulls) }
  if (items) return { ...schema, items: withNulls(items) }
  if (!properties) return schema
  const members = Object.entries(properties).map(([name, member]): [string, JsonSchema] => {
    const { description, default: defaultValue, ...core } = withNulls(member)
    if (required.includes(name) || takesNull(member) || rejectsNullMemberMarker in member)
      return [name, withNulls(member)]
    // Client generators skip operations with null next to an object default. The server accepts null all the same.
    if (hasObjectDefault(member)) return [name, member.anyOf ? withoutAbsent(withNulls(member)) : withNulls(member)]
    const notes = {
      ...(description ? { description } : {}),
      ...(defaultValue === undefined ? {} : { default: defaultValue }),
    }
    return [name, { anyOf: [...(core.anyOf ?? [core]), { type: 'null' }], ...notes }]
  })
  return { ...schema, properties: Object.fromEntries(members) }
}

/** The names of the schemas that schemas reference, transitively. */
export function listReferencedSchemas(schemas: readonly JsonSchema[], namedSchemas: NamedSchemas): Set<string> {
  const found = new Set<string>()
  const follow = (schema: JsonSchema): void => {
    for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/schemas\/([^"/]+)"/g)) {
      if (name === undefined || found.has(name)) continue
      found.add(name)
      follow(withReferences(namedSchemas.schemas.get(name) as JsonSchema, namedSchemas, true))
    }
  }
  schemas.forEach(follow)
  return found
}

/** The schemas that only inputs reference. */
function listInputOnlySchemas(namedSchemas: NamedSchemas): Set<string> {
  const reached = (part: 'input' | 'output'): Set<string> =>
    listReferencedSchemas(
      operationRegistry.map((operation) => withReferences(toPlainSchema(operation[part]), namedSchemas)),
      namedSchemas,
    )
  const reachedByOutput = reached('output')
  return new Set([...reached('input')].filter((name) => !reachedByOutput.has(name)))
}

/** Client generators recognize bytes by this format; validators ignore it. */
export const bytesSchema = { type: 'string', format: 'binary' } as const

/**
 * The fields of one message of an event stream (WHATWG HTML, section 9.2.6), as OpenAPI 3.2 describes a message: validators read
 * the schema of an event stream as that of each message. The data are JSON text.
 */
const describeMessage = (data: unknown): unknown => ({
  type: 'object',
  required: ['id', 'event', 'data'],
  properties: {
    id: { type: 'string' },
    event: { type: 'string' },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
  },
})

/** The response content by media type. */
export function createContent(
  operation: Operation,
  namedSchemas: NamedSchemas,
): Record<string, { readonly schema?: unknown }> {
  const schema = withReferences(toPlainSchema(operation.output), namedSchemas)
  const others = Object.fromEntries(operation.alternative_media_types.map((mediaType) => [mediaType, {}]))
  if (operation.response_kind === 'ndjson') return { 'application/x-ndjson': { schema }, ...others }
  if (operation.response_kind === 'event-stream') return { 'text/event-stream': { schema: describeMessage(schema) } }
  if (operation.response_kind === 'json') return { [operation.media_type]: { schema } }
  const mediaTypes = String(schema['contentMediaType']).split(', ')
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: bytesSchema }]))
}

/** Responses are shared by operations that have the same problems for a status. */
const responseName = (names: readonly ProblemName[]): string => names.join('.')

const responseOf = (names: readonly ProblemName[]): unknown => ({
  description: names.map((name) => `\`${name}\``).join(', '),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  'x-problems': names,
})

/** The problems of an operation by status, ascending. */
function problemsByStatus(operation: Operation): [status: number, names: ProblemName[]][] {
  return [...Map.groupBy(listPossibleProblems(operation), (name) => problems[name].status)].sort(([a], [b]) => a - b)
}

function responsesOf(operation: Operation, namedSchemas: NamedSchemas): Record<string, unknown> {
  const refusals = problemsByStatus(operation).map(([status, names]) => [
    String(status),
    { $ref: `#/components/responses/${responseName(names)}` },
  ])
  const done = { description: 'Done.', content: createContent(operation, namedSchemas) }
  return { [String(operation.status)]: done, ...Object.fromEntries(refusals) }
}

function sharedResponses(): Record<string, unknown> {
  const sets = operationRegistry.flatMap((operation) => problemsByStatus(operation).map(([, names]) => names))
  const named = new Map(sets.map((names) => [responseName(names), responseOf(names)]))
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const listUrls = (operation: Operation): string[] => [
  `POST /v1/${operation.id.replaceAll('.', '/')}`,
  ...(operation.effect === 'read' ? [`GET /v1/op/${operation.id}`] : []),
  ...contractRoutes.filter((route) => route.operation === operation.id).map((route) => `${route.method} ${route.path}`),
]

/** Deprecated URLs, each with its successor and since when. */
function listDeprecatedUrls(operation: Operation): unknown[] {
  return contractRoutes
    .filter((route) => route.operation === operation.id && route.successor !== undefined)
    .map(({ method, path, successor }) => ({
      address: `${method} ${path}`,
      successor: `${method} ${successor}`,
      since: routesDeprecatedSince,
    }))
}

function createPath(operation: Operation, namedSchemas: NamedSchemas): unknown {
  const deprecated = listDeprecatedUrls(operation)
  return {
    post: {
      operationId: operation.id,
      summary: operation.summary,
      tags: [operation.id.split('.')[0]],
      ...(operation.public ? { security: [] } : {}),
      ...(operation.idempotent ? { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] } : {}),
      requestBody: {
        // A missing body means that all fields are absent.
        required: ((operation.input as JsonSchema).required ?? []).length > 0,
        content: {
          'application/json': { schema: withNulls(withReferences(toPlainSchema(operation.input), namedSchemas)) },
        },
      },
      responses: responsesOf(operation, namedSchemas),
      'x-scope': operation.scope,
      ...(operation.permission === null ? {} : { 'x-permission': operation.permission }),
      ...(operation.acts_on === null ? {} : { 'x-acts-on': operation.acts_on }),
      ...(operation.callers === 'any' ? {} : { 'x-callers': operation.callers }),
      'x-effect': operation.effect,
      'x-extension': operation.extension,
      'x-idempotent': operation.idempotent,
      ...(operation.body_limit_bytes === null ? {} : { 'x-body-limit-bytes': operation.body_limit_bytes }),
      'x-paging': operation.paging,
      'x-emits': operation.emits,
      'x-addresses': listUrls(operation),
      ...(deprecated.length > 0 ? { 'x-deprecated-addresses': deprecated } : {}),
    },
  }
}

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A request with the same key and body within 24 hours returns the first response and runs once.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of `/realms/public/protocol/openid-connect/token`, or an API key.',
  },
  api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
}

/** Prints the contract as OpenAPI 3.1: one path per operation, its canonical URL. */
export function printOpenapi(namedSchemas: NamedSchemas): string {
  const inputOnlyNames = listInputOnlySchemas(namedSchemas)
  const schemas = [...namedSchemas.schemas].map(([name, schema]) => {
    const printed = withReferences(schema, namedSchemas, true)
    return [name, inputOnlyNames.has(name) ? withNulls(printed) : printed] as const
  })
  const tagNames = [...new Set(operationRegistry.map((operation) => operation.id.split('.')[0]))]
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Swath',
      version: contractVersion,
      description:
        'Search, price, order, deliver, render, share and monitor satellite imagery. In optional input properties null counts as absent, unless the description says otherwise. Times without an offset are UTC; times in responses end in `Z`.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { api_key: [] }],
    tags: tagNames.map((name) => ({ name })),
    paths: Object.fromEntries(
      operationRegistry.map((operation) => [`/v1/op/${operation.id}`, createPath(operation, namedSchemas)]),
    ),
    components: {
      schemas: { ...Object.fromEntries(schemas), Problem: problemSchema },
      responses: sharedResponses(),
      parameters,
      securitySchemes,
    },
  }
  return JSON.stringify(document)
}
