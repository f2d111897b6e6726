import { issueDocument } from '../src/domains/invoicing/documents/issue-document.ts'
import { newId } from '../src/platform/ids.ts'
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
    seller,
  }
  const line = { description: 'Photographs', quantity: '2', unit: 'km2', unit_price_cents: null, order_id: null }
  const document = { kind: 'invoice', status: 'open', lines: [{ ...line, amount_cents }] } as const
  const { id } = await database.unscoped.transaction((tx) => issueDocument(tx, actor, document))
  return id
}
