import type { Operation } from '@swath/contract/operation.ts'
import { findOperation, operationRegistry } from '@swath/contract/registry.ts'
import { contractRoutes, type ContractRoute } from '@swath/contract/routes.ts'
import {
  createExample,
  exclusiveIdOperations,
  findIdFields,
  idFilters,
  sourceOf,
} from '../../../packages/server/test/contract/id-sources.ts'
import type { TenantFixtures } from '../../../packages/server/test/contract/tenant-fixtures.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import type { MatrixPrincipal, Target, World } from './facts.ts'
import { interfaceRoutes } from './interface-routes.ts'
import { deletedFields, irreversiblyDeleted } from './world.ts'

/** A route that runs an operation. */
export type MatrixRoute = Pick<
  ContractRoute,
  'method' | 'path' | 'operation' | 'rename' | 'fixed' | 'body' | 'urlToken' | 'dialect'
>

/** One call. */
export interface MatrixCase {
  readonly principal: MatrixPrincipal
  readonly operation: Operation
  readonly route: MatrixRoute | null
  readonly target: Target
  /** The field that names the target; null for all fields, or none. */
  readonly field: string | null
  readonly isFilter: boolean
  /** Other fields name entities of the caller. */
  readonly isMixed: boolean
  readonly input: Readonly<Record<string, unknown>>
}

interface IdField {
  readonly name: string
  readonly many: boolean
}

type TargetSets = Readonly<Partial<Record<Target, TenantFixtures>>>

/** The sets that the targets name; a target without a set does not exist for the principal. */
function setsOf({ own }: MatrixPrincipal, operation: Operation, world: World): TargetSets {
  // What a link is for is its own to whoever has the link.
  if (operation.public)
    return { own: world.own, 'other project': world.otherProject, 'other organization': world.foreign }
  if (own === null) return { 'other organization': world.own, deleted: world.deleted }
  const inOrganization = own === world.own ? { 'other project': world.otherProject, deleted: world.deleted } : {}
  return { own, ...inOrganization, 'other organization': world.foreign }
}

/** The id of the target for a field; a random one in the form of the field. */
function idOf(operation: Operation, { name }: IdField, set: TenantFixtures | null, base: TenantFixtures): string {
  const source = sourceOf(operation, name) ?? newId
  if (set) return source(set)
  const example = source(base)
  return name.endsWith('url') ? example.replace(base.item, newId()) : newId()
}

/** Lists of what has happened, also to what was deleted since. */
const keepsHistory: ReadonlySet<string> = new Set(['alerts.events.list'])

/** An id of STAC is a text, which the examples take from the caller. */
const hasStacId = ({ input }: Operation): boolean =>
  'stac_id' in (input as unknown as { properties: object }).properties

const hasSource = (operation: Operation, name: string, set: TenantFixtures): boolean => {
  const source = sourceOf(operation, name)
  return source !== undefined && source(set) === source(set)
}

/** The targets of some fields of an operation. */
function* targetInputs(operation: Operation, fields: readonly IdField[], sets: TargetSets, base: TenantFixtures) {
  const example = exclusiveIdOperations.has(operation.id) ? {} : createExample(operation, base)
  const targets: (readonly [Target, TenantFixtures | null])[] = [
    ['random', null],
    ...(Object.entries(sets) as [Target, TenantFixtures][]),
  ]
  for (const [target, set] of targets) {
    // Who may restore an entity still reads it.
    const gone = base === set || base.organization === set?.organization ? irreversiblyDeleted : deletedFields
    if (target === 'deleted' && keepsHistory.has(operation.id)) continue
    if (target === 'deleted' && !fields.every(({ name }) => gone.has(name))) continue
    // Of what a set does not have, the source is a random id.
    if (set && !fields.every(({ name }) => hasSource(operation, name, set))) continue
    const ids = fields.map((field) => [field, idOf(operation, field, set, base)] as const)
    const values = ids.map(([{ name, many }, id]) => [name, many ? [id] : id])
    yield { target, input: { ...example, ...Object.fromEntries(values) } as Record<string, unknown> }
  }
}

/** Which groups of fields name the target: each alone, and all together. */
const groupFields = ({ id }: Operation, fields: readonly IdField[]): (readonly IdField[])[] => [
  ...fields.map((field) => [field]),
  ...(fields.length > 1 && !exclusiveIdOperations.has(id) ? [fields] : []),
]

/** The cases of one principal at the canonical routes of all operations. */
export function* createOperationCases(principal: MatrixPrincipal, world: World): Generator<MatrixCase> {
  for (const operation of operationRegistry) {
    const base = operation.public ? world.own : (principal.own ?? world.own)
    const common = { principal, operation, route: null }
    const fields = findIdFields(operation)
    if (fields.length === 0) {
      const input = createExample(operation, base)
      yield { ...common, target: 'none', field: null, isFilter: false, isMixed: false, input }
      continue
    }
    yield* createFieldCases(common, fields, setsOf(principal, operation, world), base)
  }
}

function* createFieldCases(
  common: Pick<MatrixCase, 'principal' | 'operation' | 'route'>,
  fields: readonly IdField[],
  sets: TargetSets,
  base: TenantFixtures,
): Generator<MatrixCase> {
  const { operation } = common
  for (const group of groupFields(operation, fields)) {
    const isFilter = group.every(({ name, many }) => many || idFilters[operation.id]?.[name] !== undefined)
    const isMixed = group.length < findIdFields(operation).length || hasStacId(operation)
    const field = group.length === 1 ? group[0]!.name : null
    for (const { target, input } of targetInputs(operation, group, sets, base)) {
      // One field of the caller beside those of its examples is the case in which all are its own.
      if (target === 'own' && group.length < fields.length && !exclusiveIdOperations.has(operation.id)) continue
      yield { ...common, target, field, isFilter, isMixed, input }
    }
  }
}

/** The cases of one principal at all other routes. */
export function* createRouteCases(principal: MatrixPrincipal, world: World): Generator<MatrixCase> {
  const routes: readonly MatrixRoute[] = [...contractRoutes, ...interfaceRoutes]
  for (const route of routes) {
    const operation = findOperation(route.operation)!
    const common = { principal, operation, route }
    const base = operation.public ? world.own : (principal.own ?? world.own)
    const inPath = new Set([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => route.rename?.[name!] ?? name!))
    const fields = findIdFields(operation).filter(({ name }) => inPath.has(name))
    if (fields.length === 0) {
      const input = createExample(operation, base)
      yield { ...common, target: 'none', field: null, isFilter: false, isMixed: false, input }
      continue
    }
    yield* createFieldCases(common, fields, setsOf(principal, operation, world), base)
  }
}

export interface MatrixRequest {
  readonly method: string
  readonly path: string
  readonly body: string | null
}

/** The request of a case: the canonical one, or the one of its route. */
export function toRequest({ operation, route, input, principal: { credential } }: MatrixCase): MatrixRequest {
  if (route === null) return { method: 'POST', path: `/v1/op/${operation.id}`, body: JSON.stringify(input) }
  const bound = new Set(Object.keys(route.fixed ?? {}))
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const field = route.rename?.[name] ?? name
    bound.add(field)
    return encodeURIComponent(String(input[field] ?? ''))
  })
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !bound.has(name)))
  const token = route.urlToken === 'tile' && credential.tileToken ? { key: credential.tileToken } : {}
  if (route.method === 'GET' || route.method === 'DELETE') {
    const texts = Object.entries({ ...rest, ...token }).map(([name, value]): [string, string] => [
      name,
      route.dialect !== 'stac' && typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
    const query = new URLSearchParams(texts)
    return { method: route.method, path: query.size > 0 ? `${path}?${query}` : path, body: null }
  }
  return { method: route.method, path, body: JSON.stringify(route.body === undefined ? rest : rest[route.body]) }
}
