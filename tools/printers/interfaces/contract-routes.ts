import { bytesSchema, createContent } from '../openapi.ts'
import type { Operation } from '../../../packages/contract/src/operation.ts'
import { problems } from '../../../packages/contract/src/problems.ts'
import { findOperation, listPossibleProblems } from '../../../packages/contract/src/registry.ts'
import { contractRoutes, type ContractRoute, type RouteRepresentation } from '../../../packages/contract/src/routes.ts'
import { nameOfReference, toPlainSchema, withReferences, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import { anyObject, pathParameters, type DescribedRoute } from './described-route.ts'
import { listBoundFields, listQueryParameters } from './query-parameters.ts'

/** Media types of the representations that are not plain JSON. */
const representationTypes: Readonly<Partial<Record<RouteRepresentation, readonly string[]>>> = {
  geojson: ['application/geo+json'],
  'stac-item': ['application/geo+json'],
  created: ['application/geo+json'],
  'no-content': [],
  image: ['image/png', 'image/jpeg', 'image/webp', 'application/vnd.mapbox-vector-tile'],
  redirect: [],
  wmts: ['application/xml', 'image/png', 'image/jpeg', 'image/webp'],
  'json-schema': ['application/schema+json'],
  scenes: ['application/geo+json'],
}

const nothing: JsonSchema = { type: 'null' }

const envelope = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['data', 'error'],
  properties: { data, error: nothing },
})

const amount: JsonSchema = { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } }

const withMembers = (output: JsonSchema, properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  allOf: [output, { type: 'object', required: Object.keys(properties), properties }],
})

const isList = ({ type, anyOf = [] }: JsonSchema): boolean => type === 'array' || anyOf.some(isList)

/** The members of an output, which may be a reference. */
const listMembers = ({ $ref, properties = {} }: JsonSchema, { schemas }: NamedSchemas): JsonSchema[] =>
  Object.values($ref === undefined ? properties : (schemas.get(nameOfReference($ref))?.properties ?? {}))

/** What representations make of the schema of the output, which is that of the answer by all others. */
const representationSchemas: Readonly<
  Partial<Record<RouteRepresentation, (output: JsonSchema, named: NamedSchemas) => JsonSchema>>
> = {
  data: (output, named) => envelope(listMembers(output, named).find(isList) ?? { type: 'array', items: {} }),
  'data-object': envelope,
  'only-member': (output, named) => listMembers(output, named)[0] ?? {},
  'json-schema': () => anyObject,
  balances: (output) => withMembers(output, { available: amount, held: amount }),
}

const representationStatuses: Readonly<Partial<Record<RouteRepresentation, string>>> = {
  created: '201',
  'no-content': '204',
  redirect: '302',
}

const hasBody = ({ method }: ContractRoute): boolean => method !== 'GET' && method !== 'DELETE'

function describeBody(route: ContractRoute, input: JsonSchema): DescribedRoute['body'] {
  if (route.body !== undefined) {
    const schema = input.properties?.[route.body] ?? anyObject
    return { mediaType: 'application/json', schema, isRequired: (input.required ?? []).includes(route.body) }
  }
  const bound = listBoundFields(route)
  const properties = Object.entries(input.properties ?? {}).filter(([field]) => !bound.has(field))
  const required = (input.required ?? []).filter((field) => !bound.has(field))
  const { required: _, ...rest } = input
  const schema = {
    ...rest,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  }
  return { mediaType: 'application/json', schema, isRequired: required.length > 0 }
}

function describeAnswers(
  { representation }: ContractRoute,
  operation: Operation,
  named: NamedSchemas,
): DescribedRoute['answers'] {
  const content = Object.entries(createContent(operation, named))
  const own = content.map(([type, { schema = {} }]) => [type, schema as JsonSchema] as const)
  if (!representation) return { [String(operation.status)]: Object.fromEntries(own) }
  const status = representationStatuses[representation] ?? String(operation.status)
  const types = representationTypes[representation] ?? ['application/json']
  const output = own[0]![1]
  const schema = representationSchemas[representation]?.(output, named) ?? output
  return {
    [status]: Object.fromEntries(types.map((type) => [type, type.includes('json') ? schema : bytesSchema])),
  }
}

function describeContractRoute(route: ContractRoute, named: NamedSchemas): DescribedRoute {
  const operation = findOperation(route.operation)!
  const input = withReferences(toPlainSchema(operation.input), named, true)
  const { rename = {} } = route
  const fieldSchema = (name: string): JsonSchema => input.properties?.[rename[name] ?? name] ?? { type: 'string' }
  const statuses = listPossibleProblems(operation).map((name) => route.problemStatuses?.[name] ?? problems[name].status)
  return {
    method: route.method,
    path: route.path,
    summary: operation.summary,
    operation: operation.id,
    isPublic: operation.public,
    isDeprecated: route.successor !== undefined,
    parameters: [
      ...pathParameters(route.path, fieldSchema),
      ...(hasBody(route) ? [] : listQueryParameters(route, input, named)),
    ],
    ...(hasBody(route) ? { body: describeBody(route, input) } : {}),
    answers: describeAnswers(route, operation, named),
    ...(route.dialect === 'wmts' ? { refusedAs: 'ExceptionReport' as const } : {}),
    refusals: [
      ...new Set(route.dialect === 'stac' ? statuses.map((status) => (status === 422 ? 400 : status)) : statuses),
    ],
  }
}

/** Every route of the contract besides the canonical ones. */
export const describeContractRoutes = (named: NamedSchemas): DescribedRoute[] =>
  contractRoutes.map((route) => describeContractRoute(route, named))
