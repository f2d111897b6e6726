import { billingEvents } from '@swath/contract/events/billing.ts'
import { itemEvents } from '@swath/contract/events/items.ts'
import { orderEvents, taskingEvents } from '@swath/contract/events/orders.ts'
import {
  feasibilityStudyLifecycle,
  orderLifecycle,
  quotationLifecycle,
  taskingLifecycle,
} from '@swath/contract/lifecycles.ts'
import { BillingStatus, Invoice, TopupApproval } from '@swath/contract/schemas/billing.ts'
import { LifecycleState } from '@swath/contract/schemas/item.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { TestApp } from '../test-app.ts'

/** The states and the kinds of events that stories of a sandbox are to reach, by lifecycle. */
export const expectedStates: Readonly<Record<string, readonly string[]>> = {
  order: orderLifecycle.states,
  'tasking order': taskingLifecycle.states,
  feasibility: feasibilityStudyLifecycle.states,
  quotation: quotationLifecycle.states,
  approval: TopupApproval.properties.status.enum,
  account: BillingStatus.properties.status.enum,
  document: Invoice.properties.status.enum,
  item: LifecycleState.enum,
  event: [
    ...Object.keys(orderEvents),
    ...Object.keys(taskingEvents),
    ...Object.keys(billingEvents),
    ...Object.keys(itemEvents).filter((kind) => kind.startsWith('item.')),
    'organization.plan_changed',
  ],
}

/** The states that no story reaches, each with the reason. This list may only shrink. */
export const unreachableStates: Readonly<Record<string, string>> = {
  'account suspended': 'only an operator of the platform suspends an organization',
  'account closed': 'no operation closes an organization',
  'document draft': 'documents are issued in the transaction that writes them',
  'document uncollectible': 'no operation writes an invoice off',
  'event hold.expired':
    'the order of a hold is stopped by `hold.ending` an hour before, and nothing else is held so long',
}

/** The states and events of an organization, each as "lifecycle state". */
export async function readReachedStates({ database }: TestApp, organization: string): Promise<string[]> {
  const rows = await database.unscoped.query<{ lifecycle: string; state: string }>(sql`
    select 'order' as lifecycle, to_status as state from order_status_changes where organization_id = ${organization}
    union select 'tasking order', to_sub_status from tasking_status_changes where organization_id = ${organization}
    union select kind, decision from tasking_decisions where organization_id = ${organization}
    union select 'approval', status from topup_approvals where organization_id = ${organization}
    union select 'document', status from invoices where organization_id = ${organization}
    union select 'item', case when deleted_at is null then lifecycle_state else 'deleted' end
      from items where organization_id = ${organization}
    union select 'event', kind from events where organization_id = ${organization}`)
  return rows.map(({ lifecycle, state }) => `${lifecycle} ${state}`)
}
