import { Problem } from '../../../engine/problem.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { selectAttributes } from './attribute-paths.ts'
import { authenticateDirectory } from './authenticate-directory.ts'
import { buildServiceProviderConfig, listResourceTypeDocuments, listSchemaDocuments } from './discovery-documents.ts'
import { createGroup, deleteGroup, updateGroup } from './groups.ts'
import { createPerson, deletePerson, updatePerson } from './people.ts'
import { patchResource, readPatchOperations } from './patch-resource.ts'
import { readResource, requireObject } from './read-resource.ts'
import type { ScimCall } from './scim-call.ts'
import { scimResourceTypes, userType, type ScimResource, type ScimResourceType } from './schema.ts'
import { invalidFilter, ScimProblem, toErrorDocument, unknownResource } from './scim-problem.ts'
import type { ScimRequest, ScimResponse } from './scim-request.ts'
import {
  findResources,
  readSearch,
  readSearchBody,
  readSelection,
  searchResources,
  toListDocument,
} from './search-resources.ts'
import type { Tx } from '../../../platform/database/database.ts'

type Context = { readonly call: ScimCall; readonly request: ScimRequest }

const respond = (
  body: ScimResource | null,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): ScimResponse => ({
  status,
  headers,
  body,
})

/** Answers a request of a directory (RFC 7644). Errors are documents of SCIM; those of the server itself are thrown. */
export async function handleScimRequest(
  dependencies: IdentityDependencies,
  request: ScimRequest,
): Promise<ScimResponse> {
  try {
    const call = await authenticateDirectory(dependencies, request, toOperationName(request))
    return await route({ call, request })
  } catch (error) {
    const problem = toScimProblem(error)
    if (!problem) throw error
    return respondProblem(problem, error)
  }
}

/** As the audit trail and events name what a directory does. */
function toOperationName({ method, path }: ScimRequest): string {
  const noun = path[0]?.toLowerCase() === 'groups' ? 'groups' : 'users'
  const verbs = { GET: 'get', POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'delete' } as const
  return `scim.${noun}.${verbs[method]}`
}

/** Problems of the platform that a directory can cause; null for any other error. */
function toScimProblem(error: unknown): ScimProblem | null {
  if (error instanceof ScimProblem) return error
  if (!(error instanceof Problem)) return null
  const { status, message, problem } = error
  if (problem === 'malformed') return new ScimProblem(400, message, 'invalidSyntax')
  if (problem === 'validation') return new ScimProblem(400, message, 'invalidValue')
  return status < 500 ? new ScimProblem(status, message) : null
}

function respondProblem(problem: ScimProblem, cause: unknown): ScimResponse {
  const retry_after_s = cause instanceof Problem ? cause.extra['retry_after_s'] : undefined
  const headers = {
    'cache-control': 'no-store',
    ...(problem.status === 401 ? { 'www-authenticate': 'Bearer realm="swath"' } : {}),
    ...(retry_after_s === undefined ? {} : { 'retry-after': String(retry_after_s) }),
  }
  return respond(toErrorDocument(problem), problem.status, headers)
}

const notAllowed = (): ScimProblem => new ScimProblem(405, 'The resource does not have this method.')

function route(context: Context): Promise<ScimResponse> | ScimResponse {
  const { request } = context
  const [first = '', second, ...more] = request.path
  if (more.length > 0) throw unknownUrl()
  const discovery = Object.hasOwn(discoveryDocuments, first) ? discoveryDocuments[first] : undefined
  if (discovery) return respondDiscovery(context, discovery(context.call.baseUrl), second)
  if (first === '.search' && second === undefined) return respondSearch(context, scimResourceTypes)
  if (first === 'Bulk') throw new ScimProblem(501, 'Bulk requests are not supported.')
  if (first === 'Me') throw new ScimProblem(501, 'A directory is nobody: there is no "Me".')
  const type = scimResourceTypes.find(({ endpoint }) => endpoint === `/${first}`)
  if (!type) throw unknownUrl()
  if (second === '.search') return respondSearch(context, [type])
  return second === undefined ? respondCollection(context, type) : respondResource(context, type, second)
}

const unknownUrl = (): ScimProblem => new ScimProblem(404, 'There is no such URL in SCIM.')

/** One document, or several with ids. */
const discoveryDocuments: Readonly<Record<string, (baseUrl: string) => ScimResource | readonly ScimResource[]>> = {
  ServiceProviderConfig: buildServiceProviderConfig,
  ResourceTypes: listResourceTypeDocuments,
  Schemas: listSchemaDocuments,
}

const isList = (documents: ScimResource | readonly ScimResource[]): documents is readonly ScimResource[] =>
  Array.isArray(documents)

function respondDiscovery(
  { request }: Context,
  documents: ScimResource | readonly ScimResource[],
  id: string | undefined,
): ScimResponse {
  if (request.method !== 'GET') throw notAllowed()
  // RFC 7644 4: these lists are not filtered.
  if (request.query.has('filter')) throw new ScimProblem(403, 'Discovery cannot be filtered.')
  if (!isList(documents)) {
    if (id !== undefined) throw unknownResource(id)
    return respond(documents)
  }
  if (id === undefined) return respond(toListDocument(documents, { total: documents.length, startIndex: 1 }))
  const found = documents.find((document) => document['id'] === id)
  if (!found) throw unknownResource(id)
  return respond(found)
}

async function respondSearch({ call, request }: Context, types: readonly ScimResourceType[]): Promise<ScimResponse> {
  if (request.method !== 'POST') throw notAllowed()
  const search = readSearchBody(requireObject(await request.readBody()))
  return respond(await searchResources(call, types, search))
}

async function respondCollection(context: Context, type: ScimResourceType): Promise<ScimResponse> {
  const { call, request } = context
  if (request.method === 'GET')
    return respond(
      await searchResources(
        call,
        [type],
        readSearch((name) => request.query.get(name) ?? undefined),
      ),
    )
  if (request.method !== 'POST') throw notAllowed()
  const resource = readResource(type, await request.readBody())
  const create = (tx: Tx): Promise<{ readonly id: string }> =>
    type === userType ? createPerson(tx, call, resource) : createGroup(tx, call, resource)
  const { id } = await call.unscoped.transaction(create)
  return respondStored(context, type, { id, status: 201 })
}

type ReadChange = (body: unknown) => (current: ScimResource) => ScimResource

/** The methods that change a resource: what they compute from the stored one. */
const changes = (type: ScimResourceType): Readonly<Record<string, ReadChange>> => ({
  PUT: (body) => {
    const resource = readResource(type, body)
    return () => resource
  },
  PATCH: (body) => {
    const operations = readPatchOperations(body)
    return (current) => patchResource(type, current, operations)
  },
})

async function respondResource(context: Context, type: ScimResourceType, id: string): Promise<ScimResponse> {
  const { call, request } = context
  const { method } = request
  if (method === 'GET') return respondStored(context, type, { id, status: 200 })
  if (method === 'DELETE') {
    const remove = type === userType ? deletePerson : deleteGroup
    await call.unscoped.transaction((tx) => remove(tx, call, id))
    return respond(null, 204)
  }
  const readChange = changes(type)[method]
  if (!readChange) throw notAllowed()
  const change = readChange(await request.readBody())
  const update = (tx: Tx) =>
    type === userType ? updatePerson(tx, call, id, change) : updateGroup(tx, call, id, change)
  await call.unscoped.transaction(async (tx) => void (await update(tx)))
  return respondStored(context, type, { id, status: 200 })
}

/** A resource as it is stored now, with its tag; without a body for a client that has this version. */
async function respondStored(
  { call, request }: Context,
  type: ScimResourceType,
  { id, status }: { readonly id: string; readonly status: 200 | 201 },
): Promise<ScimResponse> {
  const selection = readSelection((name) => request.query.get(name) ?? undefined)
  if (status === 200 && request.query.has('filter')) throw invalidFilter('One resource cannot be filtered.')
  const filter = { kind: 'compare', path: 'id', operator: 'eq', value: id.toLowerCase() } as const
  const [resource] = await findResources(call, type, filter)
  if (!resource) throw unknownResource(id)
  const { version, location } = resource['meta'] as { readonly version: string; readonly location: string }
  const headers = { etag: version, 'content-location': location, ...(status === 201 ? { location } : {}) }
  const isKnown =
    request.method === 'GET' && (request.ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === version)
  return isKnown ? respond(null, 304, headers) : respond(selectAttributes(type, resource, selection), status, headers)
}
