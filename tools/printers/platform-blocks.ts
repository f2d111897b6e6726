import { eventDefinitions, type EventType } from '../../packages/contract/src/events.ts'
import * as lifecycles from '../../packages/contract/src/lifecycles.ts'
import type { Lifecycle, LifecycleTransition } from '../../packages/contract/src/lifecycles.ts'
import { commonProblems, problems } from '../../packages/contract/src/problems.ts'
import { operationRegistry } from '../../packages/contract/src/registry.ts'
import { contractRoutes } from '../../packages/contract/src/routes.ts'
import { lifecycleStates, itemTypes } from '../../packages/contract/src/schemas/item.ts'
import { billingPlans } from '../../packages/server/src/domains/billing/plans.ts'
import { code, codeList, printTable, type BlockPrinters } from './generated-blocks.ts'
import { printOrganizationRoles, printProjectRoles, printRestrictedOperations, printScopes } from './identity-tables.ts'
import { toPlainSchema, type JsonSchema } from './json-schema.ts'
import { printConfiguredLimits, printContractLimits } from './limit-tables.ts'
import { printRefusals } from './refusals.ts'
import { printSandboxStories } from './sandbox-stories.ts'
import { printType } from './type-text.ts'

const effectMeanings = {
  read: 'changes nothing; the only effect that GET serves',
  compute: 'changes data or does work that is not charged by the call itself',
  spend: 'moves money or starts work that is charged',
  export: 'gives data or access to somebody outside',
  destructive: 'removes something',
} as const

function printEffects(): string {
  const rows = Object.entries(effectMeanings).map(([effect, meaning]) => {
    const count = operationRegistry.filter((operation) => operation.effect === effect).length
    return [code(effect), meaning, String(count)]
  })
  return printTable(['Effect', 'Meaning', 'Operations'], rows)
}

const pagingFields = {
  offset: ['limit', 'offset'],
  page: ['size', 'page'],
  search: ['limit', 'page'],
  token: ['limit', 'next'],
} as const

/** One row for each convention and each range of its page size. */
function printPaging(): string {
  const idsByRow = new Map<string, string[]>()
  for (const { id, paging, input } of operationRegistry) {
    if (paging === null) continue
    const [size, position] = pagingFields[paging]
    const range = toPlainSchema(input).properties?.[size] as JsonSchema & { minimum?: number; maximum?: number }
    const maximum = range.maximum === Number.MAX_SAFE_INTEGER ? 'any' : range.maximum
    const bounds = `${range.minimum} to ${maximum}, default ${String(range.default)}`
    const row = [paging, codeList([size, position]), bounds].join('\t')
    idsByRow.set(row, [...(idsByRow.get(row) ?? []), id])
  }
  const rows = [...idsByRow].sort(([left], [right]) => (left < right ? -1 : 1))
  return printTable(
    ['Convention', 'Fields', 'Page size', 'Operations'],
    rows.map(([row, ids]) => [...row.split('\t'), ids.length > 6 ? String(ids.length) : codeList(ids)]),
  )
}

const printIdempotentOperations = (): string =>
  operationRegistry
    .filter((operation) => operation.idempotent)
    .map((operation) => `- ${code(operation.id)}${operation.extension ? ' (extension)' : ''}`)
    .join('\n')

const printRoutes = (): string =>
  printTable(
    ['Route', 'Operation', 'Use instead'],
    // Those of the signed catalogue are the others with a prefix.
    contractRoutes
      .filter(({ hasTokens }) => !hasTokens)
      .map((route) => [
        code(`${route.method} ${route.path}`),
        code(route.operation),
        route.successor === undefined ? '' : code(route.successor),
      ]),
  )

function printLifecycle(lifecycle: Lifecycle<string, string>): string {
  const rows = Object.entries<LifecycleTransition<string>>(lifecycle.transitions).map(([name, { from, to, emits }]) => [
    code(name),
    from === null ? '(none)' : codeList(from),
    code(to),
    emits === null ? '' : code(emits),
  ])
  const terminal = `Final: ${codeList(lifecycle.terminal)}.`
  return `${printTable(['Transition', 'From', 'To', 'Event'], rows)}\n\n${terminal}`
}

const printItemStates = (): string =>
  [`Types of an item: ${codeList(itemTypes)}.`, `Values of \`lifecycle_state\`: ${codeList(lifecycleStates)}.`].join(
    '\n\n',
  )

const unlimited = 'no limit'

function printPlans(): string {
  const rows = billingPlans.map((plan) => [
    code(plan.id),
    plan.description,
    String(plan.monthly_credits),
    plan.storage_quota_bytes === null ? unlimited : `${plan.storage_quota_bytes / 1e9} GB`,
    plan.item_retention_days === null ? unlimited : `${plan.item_retention_days} days`,
    plan.concurrent_jobs === null ? unlimited : String(plan.concurrent_jobs),
  ])
  return printTable(['Plan', 'For', 'Credits a month', 'Storage', 'Retention of items', 'Concurrent jobs'], rows)
}

function printProblems(): string {
  const rows = Object.entries(problems).map(([name, { status, title, meaning }]) => [
    String(status),
    `${code(name)}${commonProblems.some((common) => common === name) ? ' *' : ''}`,
    title,
    meaning,
  ])
  return printTable(['Status', 'Problem', 'Title', 'Meaning'], rows)
}

/** The operations that declare the event, and the transitions that emit it. */
function emittersOf(type: EventType): string {
  const operations = operationRegistry.filter((operation) => operation.emits.includes(type)).map(({ id }) => id)
  return operations.length > 4 ? `${operations.length} operations` : codeList(operations)
}

function printEvents(): string {
  const rows = Object.entries(eventDefinitions).map(([type, { summary, data }]) => {
    const fields = Object.keys(toPlainSchema(data).properties ?? {})
    return [code(type), summary, codeList(fields), emittersOf(type as EventType)]
  })
  return printTable(['Event', 'Meaning', 'Fixed fields of `data`', 'Declared by'], rows)
}

const printOrderEventData = (): string =>
  printTable(
    ['Field', 'Type'],
    Object.entries(toPlainSchema(eventDefinitions['order.being_fulfilled'].data).properties ?? {}).map(
      ([name, schema]) => [code(name), code(printType(schema))],
    ),
  )

/** The generated parts of the pages in `docs/platform/`, by the name of their block. */
export const platformBlocks: BlockPrinters = {
  effects: printEffects,
  paging: printPaging,
  'idempotent-operations': printIdempotentOperations,
  routes: printRoutes,
  'order-lifecycle': () => printLifecycle(lifecycles.orderLifecycle),
  'tasking-lifecycle': () => printLifecycle(lifecycles.taskingLifecycle),
  'job-lifecycle': () => printLifecycle(lifecycles.jobLifecycle),
  'job-settlement-lifecycle': () => printLifecycle(lifecycles.jobPaymentLifecycle),
  'upload-lifecycle': () => printLifecycle(lifecycles.uploadLifecycle),
  'item-states': printItemStates,
  'contract-limits': printContractLimits,
  'configured-limits': printConfiguredLimits,
  plans: printPlans,
  problems: printProblems,
  events: printEvents,
  'order-event-data': printOrderEventData,
  scopes: printScopes,
  'organization-roles': printOrganizationRoles,
  'restricted-operations': printRestrictedOperations,
  'project-roles': printProjectRoles,
  'sandbox-stories': printSandboxStories,
  refusals: printRefusals,
}
