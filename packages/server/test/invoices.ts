import { issueDocument } from '../src/domains/billing/documents/issue-document.ts'
import { newId } from '../src/platform/ids.ts'
import { idleQueue } from './idle-queue.ts'
import { seller } from './holdings.ts'
import type { TestHouse } from './setup.ts'

/** Issues an open invoice as the billing cycle does, without charges; returns its id. */
export async function issueInvoice(house: TestHouse, organization: string, amount_cents: number): Promise<string> {
  const { database, clock } = house
  const principal = { kind: 'service', id: 'test', user: null, organization, role: null, scopes: [] } as const
  const actor = {
    organization,
    principal: { ...principal, administrator: false },
    clock: clock.of(organization),
    operation: 'test',
    requestId: newId(),
    queue: idleQueue,
    seller,
  }
  const line = { description: 'Photographs', quantity: '2', unit: 'km2', unit_price_cents: null, order_id: null }
  const terms = { kind: 'invoice', status: 'open', lines: [{ ...line, amount_cents }] } as const
  const { id } = await database.across.transaction((tx) => issueDocument(tx, actor, terms))
  return id
}
