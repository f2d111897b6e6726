import type { InterfaceName } from '../../../packages/server/src/engine/service-descriptions.ts'
import { findOperation } from '../../../packages/contract/src/registry.ts'
import { contractVersion } from '../../../packages/contract/src/version.ts'
import type { JsonSchema, NamedSchemas } from '../json-schema.ts'
import { withReferences } from '../json-schema.ts'
import { listReferencedSchemas, problemSchema, securitySchemes } from '../openapi.ts'
import { describeContractRoutes } from './contract-routes.ts'
import type { DescribedRoute, RouteParameter } from './described-route.ts'
import { interfaceRoutes } from './interface-routes.ts'
import { createRefusalResponses } from './refusals.ts'
import { toOpenapi30 } from '../../../packages/server/src/http/representations/openapi-30.ts'

interface InterfaceDocument {
  readonly name: InterfaceName
  readonly title: string
  readonly prefixes: readonly string[]
}

/** The documents, each with the beginnings of its paths; a route is in the first that has it. */
export const interfaceDocuments: readonly InterfaceDocument[] = [
  { name: 'stac', title: 'STAC API of Swath', prefixes: ['/assets/stac'] },
  { name: 'processes', title: 'OGC API - Processes of Swath', prefixes: ['/processing'] },
  { name: 'stapi', title: 'Sensor Tasking API of Swath', prefixes: ['/stapi'] },
  { name: 'v2', title: 'Routes of clients of the second generation', prefixes: ['/v2'] },
  { name: 'identity', title: 'Sign-in, OAuth and SCIM of Swath', prefixes: ['/realms', '/device', '/invitations', '/scim', '/.well-known/o', '/passkeys.js'] },
  { name: 'routes', title: 'Resources, tiles, files and pages of Swath', prefixes: ['/'] },
] // prettier-ignore

const documentOf = (path: string): InterfaceName =>
  interfaceDocuments.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))!.name

/** All described routes. */
export const listDescribedRoutes = (named: NamedSchemas): DescribedRoute[] => [
  ...describeContractRoutes(named),
  ...interfaceRoutes,
]

const printParameter = ({ in: place, name, required = false, description, ...parameter }: RouteParameter) => ({
  name,
  in: place,
  required,
  ...(description === undefined ? {} : { description }),
  ...printValue(parameter),
})

const printValue = ({ schema, explode, isJson = false }: Pick<RouteParameter, 'schema' | 'explode' | 'isJson'>) =>
  isJson
    ? { content: { 'application/json': { schema } } }
    : { ...(explode === undefined ? {} : { style: 'form', explode }), schema }

const headersOfAnswers = {
  'X-Request-Id': { description: 'Identifies the call in the log.', schema: { type: 'string' } },
  RateLimit: { description: 'What is left of the rate limit.', schema: { type: 'string' } },
  ETag: { description: 'Changes with the content; compare with `If-None-Match`.', schema: { type: 'string' } },
}

const headerReferences = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function printOperation(route: DescribedRoute): unknown {
  const answers = Object.entries(route.answers).map(([status, types]) => [
    status,
    {
      description: 'Done.',
      headers: headerReferences(['X-Request-Id', 'RateLimit', 'ETag']),
      ...(Object.keys(types).length === 0
        ? {}
        : { content: Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }])) }),
    },
  ])
  const refusal = { $ref: `#/components/responses/${route.refusedAs ?? 'Refusal'}` }
  const refused = (route.refusals ?? []).map((status) => [String(status), refusal])
  return {
    operationId: `${route.method} ${route.path}`
      .replaceAll(/[^\w]+/g, '_')
      .replace(/_$/, '')
      .toLowerCase(),
    summary: route.summary,
    ...(route.isPublic ? { security: [] } : {}),
    ...(route.isDeprecated ? { deprecated: true } : {}),
    ...(route.parameters?.length ? { parameters: route.parameters.map(printParameter) } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: route.body.isRequired ?? false,
            content: { [route.body.mediaType]: { schema: route.body.schema } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(answers),
      ...Object.fromEntries(refused),
      default: refusal,
    },
    ...(route.operation === null
      ? {}
      : { 'x-operation': route.operation, 'x-effect': findOperation(route.operation)!.effect }),
  }
}

function printPaths(routes: readonly DescribedRoute[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = printOperation(route)
  return paths
}

/** The schemas that a document references, with those that they reference. */
const listSchemas = (paths: unknown, named: NamedSchemas): Record<string, JsonSchema> =>
  Object.fromEntries(
    [...listReferencedSchemas([paths as JsonSchema], named)].map((name) => [
      name,
      withReferences(named.schemas.get(name)!, named, true),
    ]),
  )

/** One document of OpenAPI 3.1 for each interface, by name. */
function createInterfaceDocuments(named: NamedSchemas): Map<string, Record<string, unknown>> {
  const byDocument = Map.groupBy(listDescribedRoutes(named), ({ path }) => documentOf(path))
  return new Map(
    interfaceDocuments.map(({ name, title }) => {
      const paths = printPaths(byDocument.get(name) ?? [])
      return [
        name,
        {
          openapi: '3.1.0',
          info: { title, version: contractVersion },
          servers: [{ url: '/' }],
          security: [{ bearer: [] }, { api_key: [] }],
          paths,
          components: {
            schemas: { ...listSchemas(paths, named), Problem: problemSchema },
            headers: headersOfAnswers,
            responses: createRefusalResponses(headerReferences(['X-Request-Id'])),
            securitySchemes,
          },
        },
      ]
    }),
  )
}

/** The text of each document by its file name; each also as OpenAPI 3.0, for programs that read only that. */
export const printInterfaceDocuments = (named: NamedSchemas): Map<string, string> =>
  new Map(
    [...createInterfaceDocuments(named)].flatMap(([name, document]) => [
      [name, JSON.stringify(document)],
      [`${name}-3.0`, JSON.stringify(toOpenapi30(document))],
    ]),
  )
