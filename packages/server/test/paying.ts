import type { Call } from '../src/engine/call.ts'
import type { Claim } from '../src/engine/once.ts'
import { handlers } from '../src/domains/domains.ts'
import { sql } from '../src/platform/database/sql.ts'
import { newId } from '../src/platform/ids.ts'
import { PaymentsFailure, type Payments } from '../src/platform/outside/payments/payments.ts'
import type { Holdings } from './holdings.ts'
import type { Bench } from './work.ts'

/** Calls an operation without HTTP; its input is not validated. */
export async function ask<Output = Record<string, unknown>>(
  call: Call,
  id: string,
  input: object = {},
): Promise<Output> {
  const { operation, answer } = handlers.get(id)!
  return (await answer({ ...call, operation: operation.id } as Call, input as never)) as Output
}

/** The idempotency claim of a retried call; a transaction that rolls back records no recovery point. */
export function claimOf(): Claim {
  const state: { point: string; data: Readonly<Record<string, unknown>> } = { point: 'claimed', data: {} }
  return {
    key: newId(),
    get point() {
      return state.point
    },
    get data() {
      return state.data
    },
    reach: async (tx, point, data) => tx.afterCommit(() => Object.assign(state, { point, data })),
  }
}

/** The processor with some methods replaced by the test. */
export const otherwise = (payments: Payments, changed: Partial<Payments>): Payments => ({ ...payments, ...changed })

/** A processor whose responses to some requests are lost although it has executed them. */
export function losing(payments: Payments, names: readonly (keyof Payments)[], isLost: () => boolean): Payments {
  const lost = names.map((name) => [
    name,
    async (...given: readonly never[]) => {
      const told = await (payments[name] as (...args: readonly never[]) => Promise<unknown>)(...given)
      if (isLost()) throw new PaymentsFailure('unavailable', 'The connection was lost.')
      return told
    },
  ])
  return { ...payments, ...Object.fromEntries(lost) } as Payments
}

/** Creates an organization that pays by card, with readers of its billing state. */
export async function payingOrganization(holdings: Holdings, bench: Bench, card: string | null = 'pm_card_good') {
  const { organization, owner: founder, person } = await holdings.organize()
  const owner: Call = { ...founder, queue: bench.queue }
  const someone = async (role: Parameters<typeof person>[0]): Promise<Call> => ({
    ...(await person(role)),
    queue: bench.queue,
  })
  const attach = async (id: string) =>
    (await ask<{ id: string }>(owner, 'payment_methods.attach', { payment_method_id: id })).id
  const saved = card === null ? null : await attach(card)
  return { organization, owner, someone, attach, card: saved, ...looksInto(holdings, organization) }
}

/** Readers of what a test compares: journal, balances, events, deadlines, rows. */
export function looksInto({ database }: Holdings, organization: string) {
  const { across } = database
  const texts = async (statement: Parameters<typeof across.query>[0]): Promise<string[]> =>
    (await across.query<{ line: string }>(statement)).map(({ line }) => line)
  return {
    journal: () =>
      texts(sql`select kind || ' ' || amount_credits as line from journal_entries
                where organization_id = ${organization} order by position`),
    balances: async () =>
      Object.fromEntries(
        (
          await across.query<{ name: string; balance_credits: number }>(sql`
            select name, balance_credits from ledger_accounts
            where organization_id = ${organization} and balance_credits <> 0 order by name`)
        ).map((row) => [row.name, row.balance_credits]),
      ),
    events: () =>
      texts(sql`select kind as line from events where organization_id = ${organization} order by created_at, id`),
    eventData: async (kind: string) =>
      (
        await across.query<{ data: Record<string, unknown> }>(sql`
          select data from events where organization_id = ${organization} and kind = ${kind} order by created_at, id`)
      ).map(({ data }) => data),
    deadlines: () =>
      texts(sql`select kind as line from billing_deadlines where organization_id = ${organization} order by kind`),
    topups: () =>
      across.query<{ id: string; kind: string; state: string; intent: string | null; failure_code: string | null }>(sql`
        select id, kind, state, intent, failure_code from topups
        where organization_id = ${organization} order by created_at, id`),
    documents: () =>
      texts(sql`select number || ' ' || total_cents || ' ' || status as line from invoices
                where organization_id = ${organization} order by created_at, number`),
    charges: () =>
      texts(sql`
        select intent.status || ' ' || intent.amount_cents as line from processor_intents intent
        join processor_customers customer on customer.id = intent.customer
        where customer.organization_id = ${organization} order by intent.created_at, intent.id`),
  }
}
