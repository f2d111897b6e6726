import type { Operation } from './operation.ts'
import * as admin from './operations/admin.ts'
import * as apiKeys from './operations/api_keys.ts'
import * as assets from './operations/assets.ts'
import * as billingCredits from './operations/billing.credits.ts'
import * as catalog from './operations/catalog.ts'
import * as cog from './operations/cog.ts'
import * as collections from './operations/collections.ts'
import * as events from './operations/events.ts'
import * as items from './operations/items.ts'
import * as itemsSearch from './operations/items.search.ts'
import * as itemsTile from './operations/items.tile.ts'
import * as orders from './operations/orders.ts'
import * as organizations from './operations/organizations.ts'
import * as projects from './operations/projects.ts'
import * as provenance from './operations/provenance.ts'
import * as users from './operations/users.ts'
import { commonProblems, type ProblemName } from './problems.ts'

const modules: readonly object[] = [
  admin,
  apiKeys,
  assets,
  billingCredits,
  catalog,
  cog,
  collections,
  events,
  items,
  itemsSearch,
  itemsTile,
  orders,
  organizations,
  projects,
  provenance,
  users,
]

/** By code point, so that the printed files do not depend on a locale. */
const byId = (a: Operation, b: Operation): number => (a.id < b.id ? -1 : Number(a.id > b.id))

/** Every operation, sorted by id. */
export const registry: readonly Operation[] = modules
  .flatMap((module) => Object.values<Operation>(module as Record<string, Operation>))
  .sort(byId)

const operationsById: ReadonlyMap<string, Operation> = new Map(registry.map((entry) => [entry.id, entry]))
if (operationsById.size !== registry.length) throw new Error('Two operations of the contract have the same id.')

/** The operation of that id, or undefined. */
export const findOperation = (id: string): Operation | undefined => operationsById.get(id)

/** The operation behind `/v1/{a}/{b}/…`: the segments are the id with slashes for dots. */
export const findOperationByPath = (segments: readonly string[]): Operation | undefined =>
  segments.some((segment) => segment.includes('.')) ? undefined : findOperation(segments.join('.'))

/** Names that a GET door understands beside the input's own: parameter to field, by operation. */
export const getAliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'orders.get': { id: 'order_id' },
}

/** Every way in which a call of the operation can fail, the common ones included, in the order of the table. */
export function problemsOf(operation: Operation): ProblemName[] {
  const names = new Set<ProblemName>([...commonProblems, ...operation.problems])
  if (operation.scope === null) names.delete('insufficient-scope')
  if (operation.public) names.delete('unauthenticated')
  if (operation.idempotent) names.add('idempotency-conflict').add('idempotency-in-flight')
  if (!operation.answered) names.add('not-implemented')
  return [...names]
}
