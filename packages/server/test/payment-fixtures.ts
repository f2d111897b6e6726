import type { Call } from '../src/engine/call.ts'
import type { IdempotencyClaim } from '../src/engine/idempotency.ts'
import { requireOrganizationPermission } from '../src/domains/projects/permissions.ts'
import { requirePermittedCaller } from '../src/engine/pipeline/scope.ts'
import { operationHandlers } from '../src/domains/handlers.ts'
import { sql } from '../src/platform/database/sql.ts'
import { newId } from '../src/platform/ids.ts'
import { PaymentsFailure, type PaymentProcessor } from '../src/platform/integrations/payments/payments.ts'
import type { TestServices } from './test-services.ts'
import type { TaskRunner } from './task-runner.ts'

/** Calls an operation without HTTP; its input is not validated. */
export async function callOperation<Output = Record<string, unknown>>(
  call: Call,
  id: string,
  input: object = {},
): Promise<Output> {
  const { operation, handle } = operationHandlers.get(id)!
  requirePermittedCaller(call.principal, operation)
  if (operation.permission !== null) await requireOrganizationPermission(call, operation.permission)
  return (await handle({ ...call, operation: operation.id } as Call, input as never)) as Output
}

/** The idempotency claim of a retried call; a transaction that rolls back records no recovery point. */
export function createClaim(): IdempotencyClaim {
  const state: { recoveryPoint: string; recoveryData: Readonly<Record<string, unknown>> } = {
    recoveryPoint: 'claimed',
    recoveryData: {},
  }
  return {
    key: newId(),
    get recoveryPoint() {
      return state.recoveryPoint
    },
    get recoveryData() {
      return state.recoveryData
    },
    checkpoint: async (tx, point, data) =>
      tx.afterCommit(() => Object.assign(state, { recoveryPoint: point, recoveryData: data })),
  }
}

/** The processor with some methods replaced by the test. */
export const withOverrides = (payments: PaymentProcessor, overrides: Partial<PaymentProcessor>): PaymentProcessor => ({
  ...payments,
  ...overrides,
})

/** A processor whose responses to some requests are lost although it has executed them. */
export function withLostResponses(
  payments: PaymentProcessor,
  methods: readonly (keyof PaymentProcessor)[],
  isLost: () => boolean,
): PaymentProcessor {
  const wrapped = methods.map((name) => [
    name,
    async (...forwardedArgs: readonly never[]) => {
      const response = await (payments[name] as (...args: readonly never[]) => Promise<unknown>)(...forwardedArgs)
      if (isLost()) throw new PaymentsFailure('unavailable', 'The connection was lost.')
      return response
    },
  ])
  return { ...payments, ...Object.fromEntries(wrapped) } as PaymentProcessor
}

/** Creates an organization that pays by card, with readers of its billing state. */
export async function createPayingOrganization(
  holdings: TestServices,
  taskRunner: TaskRunner,
  card: string | null = 'pm_card_good',
) {
  const { organization, owner: initialOwner, createMemberCall } = await holdings.createOrganization()
  const owner: Call = { ...initialOwner, queue: taskRunner.queue }
  const createMember = async (role: Parameters<typeof createMemberCall>[0]): Promise<Call> => ({
    ...(await createMemberCall(role)),
    queue: taskRunner.queue,
  })
  const attachCard = async (id: string) =>
    (await callOperation<{ id: string }>(owner, 'payment_methods.attach', { payment_method_id: id })).id
  const card_row_id = card === null ? null : await attachCard(card)
  return {
    organization,
    owner,
    createMember,
    attachCard,
    card: card_row_id,
    ...createBillingReader(holdings, organization),
  }
}

/** Readers of what a test compares: journal, balances, events, deadlines, rows. */
export function createBillingReader({ database }: TestServices, organization: string) {
  const { unscoped } = database
  const queryLines = async (statement: Parameters<typeof unscoped.query>[0]): Promise<string[]> =>
    (await unscoped.query<{ line: string }>(statement)).map(({ line }) => line)
  return {
    journal: () =>
      queryLines(sql`select kind || ' ' || amount_credits as line from journal_entries
                where organization_id = ${organization} order by position`),
    balances: async () =>
      Object.fromEntries(
        (
          await unscoped.query<{ name: string; balance_credits: number }>(sql`
            select name, balance_credits from ledger_accounts
            where organization_id = ${organization} and balance_credits <> 0 order by name`)
        ).map((row) => [row.name, row.balance_credits]),
      ),
    events: () =>
      queryLines(sql`select kind as line from events where organization_id = ${organization} order by created_at, id`),
    eventData: async (kind: string) =>
      (
        await unscoped.query<{ data: Record<string, unknown> }>(sql`
          select data from events where organization_id = ${organization} and kind = ${kind} order by created_at, id`)
      ).map(({ data }) => data),
    deadlines: () =>
      queryLines(sql`select kind as line from billing_deadlines where organization_id = ${organization} order by kind`),
    topups: () =>
      unscoped.query<{
        id: string
        kind: string
        state: string
        intent: string | null
        failure_code: string | null
      }>(sql`
        select id, kind, state, intent, failure_code from topups
        where organization_id = ${organization} order by created_at, id`),
    documents: () =>
      queryLines(sql`select kind || ' ' || total_cents || ' ' || status as line from invoices
                where organization_id = ${organization} order by kind, created_at, id`),
    charges: () =>
      queryLines(sql`
        select intent.status || ' ' || intent.amount_cents as line from processor_intents intent
        join processor_customers customer on customer.id = intent.customer
        where customer.organization_id = ${organization} order by intent.created_at, intent.id`),
  }
}

/** The calls of a new API key of a user, which has the scope of payments by name. */
export async function createBillingKey(owner: Call, spend_cap_credits: number | null): Promise<Call> {
  const scopes = ['billing:write']
  const input = { name: 'k', permissions: scopes, spend_cap_credits }
  const { id } = await callOperation<{ id: string }>(owner, 'api_keys.create', input)
  return { ...owner, principal: { ...owner.principal, kind: 'api_key', id, role: null, scopes } } as Call
}
