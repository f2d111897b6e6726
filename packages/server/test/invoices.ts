import { issueBillingDocument } from '../src/domains/invoicing/documents/issue-document.ts'
import { newId } from '../src/platform/ids.ts'
import { assignDocumentNumber } from '../src/domains/invoicing/documents/number-document.ts'
import { sql } from '../src/platform/database/sql.ts'
import type { Actor } from '../src/engine/actor.ts'
import type { DbConnection } from '../src/platform/database/database.ts'
import { noopQueue } from './noop-queue.ts'
import { seller } from './test-services.ts'
import type { TestApp } from './test-app.ts'

/** Issues an open invoice as the billing cycle does, without charges; returns its id. */
export async function issueInvoice(app: TestApp, organization: string, amount_cents: number): Promise<string> {
  const { database, clock } = app
  const principal = { kind: 'service', id: 'test', user: null, organization, role: null, scopes: [] } as const
  const actor = {
    organization,
    principal: { ...principal, administrator: false },
    clock: clock.forOrganization(organization),
    operation: 'test',
    requestId: newId(),
    queue: noopQueue,
    // Like the application of the test, whose payments are play money.
    seller: { ...seller, has_play_money: true },
  }
  const line = { description: 'Photographs', quantity: '2', unit: 'km2', unit_price_cents: null, order_id: null }
  const document = { kind: 'invoice', status: 'open', lines: [{ ...line, amount_cents }] } as const
  const { id } = await database.unscoped.transaction((tx) => issueBillingDocument(tx, actor, document))
  return id
}

/** Gives the documents of an organization their numbers, in the order in which they were issued, as the task does it. */
export async function numberIssuedDocuments(db: DbConnection, actor: Actor): Promise<void> {
  const rows = await db.query<{ id: string }>(sql`
    select id from invoices where organization_id = ${actor.organization} and number is null order by created_at, id`)
  for (const { id } of rows) await db.transaction((tx) => assignDocumentNumber(tx, actor, id))
}
