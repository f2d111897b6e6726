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
import { deletedFields } from './world.ts'

/** A route that runs an operation. */
export type MatrixRoute = Pick<
  ContractRoute,
  'method' | 'path' | 'operation' | 'rename' | 'fixed' | 'body' | 'acceptsTileToken'
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
  readonly input: Readonly<Record<string, unknown>>
  /** The ids of the target. */
  readonly sent: readonly string[]
}

interface IdField {
  readonly name: string
  readonly many: boolean
}

/** The sets that the targets name; a target without a set does not exist for the principal. */
function setsOf({ own }: MatrixPrincipal, world: World): Readonly<Partial<Record<Target, TenantFixtures>>> {
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

/** The targets of some fields of an operation. */
function* targetInputs(
  operation: Operation,
  fields: readonly IdField[],
  sets: ReturnType<typeof setsOf>,
  base: TenantFixtures,
) {
  const example = exclusiveIdOperations.has(operation.id) ? {} : createExample(operation, base)
  const targets: (readonly [Target, TenantFixtures | null])[] = [
    ['random', null],
    ...(Object.entries(sets) as [Target, TenantFixtures][]),
  ]
  for (const [target, set] of targets) {
    if (target === 'deleted' && !fields.every(({ name }) => deletedFields.has(name))) continue
    const ids = fields.map((field) => [field, idOf(operation, field, set, base)] as const)
    const values = ids.map(([{ name, many }, id]) => [name, many ? [id] : id])
    const sent = [...new Set([...ids.map(([, id]) => id), ...(set ? [set.item] : [])])]
    yield { target, input: { ...example, ...Object.fromEntries(values) } as Record<string, unknown>, sent }
  }
}

/** Which groups of fields name the target: each alone, and all together. */
const groupFields = (fields: readonly IdField[]): (readonly IdField[])[] => [
  ...fields.map((field) => [field]),
  ...(fields.length > 1 ? [fields] : []),
]

/** The cases of one principal at the canonical routes of all operations. */
export function* createOperationCases(principal: MatrixPrincipal, world: World): Generator<MatrixCase> {
  for (const operation of operationRegistry) {
    const base = principal.own ?? world.own
    const common = { principal, operation, route: null }
    const fields = findIdFields(operation)
    if (fields.length === 0) {
      const input = createExample(operation, base)
      yield { ...common, target: 'none', field: null, isFilter: false, input, sent: [] }
      continue
    }
    yield* createFieldCases(common, fields, setsOf(principal, world), base)
  }
}

function* createFieldCases(
  common: Pick<MatrixCase, 'principal' | 'operation' | 'route'>,
  fields: readonly IdField[],
  sets: ReturnType<typeof setsOf>,
  base: TenantFixtures,
): Generator<MatrixCase> {
  const { operation } = common
  for (const group of groupFields(fields)) {
    const isFilter = group.every(({ name, many }) => many || idFilters[operation.id]?.[name] !== undefined)
    const field = group.length === 1 ? group[0]!.name : null
    for (const { target, input, sent } of targetInputs(operation, group, sets, base)) {
      // One field of the caller beside those of its examples is the case in which all are its own.
      if (target === 'own' && group.length < fields.length) continue
      yield { ...common, target, field, isFilter, input, sent }
    }
  }
}

/** The cases of one principal at all other routes. */
export function* createRouteCases(principal: MatrixPrincipal, world: World): Generator<MatrixCase> {
  const base = principal.own ?? world.own
  const routes: readonly MatrixRoute[] = [...contractRoutes, ...interfaceRoutes]
  for (const route of routes) {
    const operation = findOperation(route.operation)!
    const common = { principal, operation, route }
    const inPath = new Set([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => route.rename?.[name!] ?? name!))
    const fields = findIdFields(operation).filter(({ name }) => inPath.has(name))
    if (fields.length === 0) {
      const input = createExample(operation, base)
      yield { ...common, target: 'none', field: null, isFilter: false, input, sent: [] }
      continue
    }
    yield* createFieldCases(common, fields, setsOf(principal, world), base)
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
  const token = route.acceptsTileToken && credential.tileToken ? { key: credential.tileToken } : {}
  if (route.method === 'GET' || route.method === 'DELETE') {
    const texts = Object.entries({ ...rest, ...token }).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
    const query = new URLSearchParams(texts)
    return { method: route.method, path: query.size > 0 ? `${path}?${query}` : path, body: null }
  }
  return { method: route.method, path, body: JSON.stringify(route.body === undefined ? rest : rest[route.body]) }
}
