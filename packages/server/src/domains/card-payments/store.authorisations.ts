import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import {
  cardAuthorisationLifecycle,
  pendingCardAuthorisationStates,
  type CardAuthorisationState,
  type CardAuthorisationTransitionName,
} from './authorisation-lifecycle.ts'

/** An authorisation of an amount on a card. */
export interface CardAuthorisationRow {
  readonly id: string
  readonly user_id: string | null
  readonly payment_method_id: string
  readonly amount_credits: number
  readonly reference_type: string
  readonly reference_id: string
  readonly state: CardAuthorisationState
  readonly generation: number
  readonly intent: string | null
  readonly capture_before: Date | null
  readonly hold_id: string | null
  readonly captured_credits: number
  /** The amount refunded after the capture. */
  readonly refunded_credits: number
  readonly created_at: Date
}

const columns = sql`
  id, user_id, payment_method_id, amount_credits, reference_type, reference_id, state, generation, intent, capture_before,
  hold_id, captured_credits, refunded_credits, created_at`

export type NewCardAuthorisation = Pick<
  CardAuthorisationRow,
  'id' | 'user_id' | 'payment_method_id' | 'amount_credits' | 'reference_type' | 'reference_id' | 'created_at'
>

export async function insertCardAuthorisation(tx: Tx, organization: string, row: NewCardAuthorisation): Promise<void> {
  await tx.query(sql`
    insert into card_authorisations
      (organization_id, id, user_id, payment_method_id, amount_credits, reference_type, reference_id, state, created_at, updated_at)
    values (${organization}, ${row.id}, ${row.user_id}, ${row.payment_method_id}, ${row.amount_credits},
            ${row.reference_type}, ${row.reference_id}, ${cardAuthorisationLifecycle.transitions.create.to}, ${row.created_at}, ${row.created_at})`)
}

export async function findCardAuthorisation(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<CardAuthorisationRow | null> {
  const [row] = await db.query<CardAuthorisationRow>(sql`
    select ${columns} from card_authorisations where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

export async function findCardAuthorisationOfHold(
  db: SqlStatementRunner,
  organization: string,
  hold: string,
): Promise<CardAuthorisationRow | null> {
  const [row] = await db.query<CardAuthorisationRow>(sql`
    select ${columns} from card_authorisations where organization_id = ${organization} and hold_id = ${hold}`)
  return row ?? null
}

/** The columns that a transition may change, beside the state. */
export type CardAuthorisationChange = Partial<
  Pick<CardAuthorisationRow, 'generation' | 'intent' | 'capture_before' | 'hold_id' | 'captured_credits'>
>

/** Applies a transition of the lifecycle; null, with nothing written, if the current state does not allow it. */
export async function updateCardAuthorisationState(
  tx: SqlStatementRunner,
  {
    organization,
    id,
    name,
    change,
    at,
  }: {
    readonly organization: string
    readonly id: string
    readonly name: CardAuthorisationTransitionName
    readonly change: CardAuthorisationChange
    readonly at: OrganizationTime
  },
): Promise<CardAuthorisationRow | null> {
  const { from, to } = cardAuthorisationLifecycle.transitions[name]
  const newValue = <Name extends keyof CardAuthorisationChange>(column: Name): unknown => change[column] ?? null
  const [row] = await tx.query<CardAuthorisationRow>(sql`
    update card_authorisations
    set state = ${to}, generation = coalesce(${newValue('generation')}::integer, generation),
        intent = coalesce(${newValue('intent')}, intent),
        capture_before = coalesce(${newValue('capture_before')}::timestamptz, capture_before),
        hold_id = coalesce(${newValue('hold_id')}::uuid, hold_id),
        captured_credits = coalesce(${newValue('captured_credits')}::bigint, captured_credits), updated_at = ${at}
    where organization_id = ${organization} and id = ${id} and state = any(${[...(from ?? [])]}::text[])
    returning ${columns}`)
  return row ?? null
}

export async function updateCardAuthorisationRefundedCredits(
  tx: Tx,
  organization: string,
  id: string,
  credits: number,
): Promise<void> {
  await tx.query(sql`
    update card_authorisations set refunded_credits = refunded_credits + ${credits}
    where organization_id = ${organization} and id = ${id}`)
}

/** Deletes a declined authorisation, because a declined request must leave no trace. */
export async function deleteCardAuthorisationWithoutHold(tx: Tx, organization: string, id: string): Promise<void> {
  await tx.query(sql`
    delete from card_authorisations where organization_id = ${organization} and id = ${id} and hold_id is null`)
}

/** Authorisations of members that are in progress and not linked to a hold yet. */
export async function listPendingCardAuthorisations(
  db: SqlStatementRunner,
  organization: string,
  users: readonly string[],
): Promise<{ id: string; user_id: string; created_at: Date; credits: number }[]> {
  return db.query(sql`
    select id, user_id, created_at, amount_credits as credits from card_authorisations
    where organization_id = ${organization} and user_id = any(${[...users]}::uuid[]) and hold_id is null
      and state = any(${[...pendingCardAuthorisationStates]}::text[])
    order by created_at, id`)
}

/** True for an organization that has paid by card and never bought credits. */
export async function isCardOnlyOrganization(db: SqlStatementRunner, organization: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`
    select exists (select 1 from card_authorisations
                   where organization_id = ${organization} and state in ('capturing', 'captured'))
       and not exists (select 1 from topups where organization_id = ${organization} and state = 'succeeded') as found`)
  return row!.found
}
