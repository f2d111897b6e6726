// write-documents.ts FOLDER: issues a document of each kind as the platform does it, and writes each as PDF, UBL and CSV.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Invoice } from '@swath/contract/schemas/billing.ts'
import type { Call } from '../../packages/server/src/engine/call.ts'
import type { BytesResponse } from '../../packages/server/src/engine/operation-response.ts'
import { billingDocumentFormats } from '../../packages/server/src/domains/invoicing/documents/document-formats.ts'
import { makeInvoiceDocument } from '../../packages/server/test/billing-documents.ts'
import { advanceClockTo, createEnterprise, createOperator } from '../../packages/server/test/enterprise.ts'
import { numberIssuedDocuments } from '../../packages/server/test/invoices.ts'
import { callOperation, createPayingOrganization } from '../../packages/server/test/payment-fixtures.ts'
import { createTaskRunner } from '../../packages/server/test/task-runner.ts'
import { openTestServices, type TestServices } from '../../packages/server/test/test-services.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('write-documents.ts needs a folder')
const formats = Object.keys(billingDocumentFormats) as (keyof typeof billingDocumentFormats)[]

/** Writes all documents of an organization; the receipt of an invoice has no XML. */
async function writeDocuments(call: Call): Promise<void> {
  const { invoices } = await callOperation<{ invoices: Invoice[] }>(call, 'billing.invoices.list', { limit: 50 })
  for (const { id, kind, belongs_to_id } of invoices) {
    for (const format of formats) {
      if (format === 'xml' && kind === 'receipt' && belongs_to_id !== null) continue
      const input = { invoice_id: id, format }
      const { body, headers } = await callOperation<BytesResponse>(call, 'billing.invoices.download', input)
      const [, name] = /filename="(.+)"/.exec(headers['content-disposition']!)!
      await writeFile(join(folder!, name!), body)
    }
  }
}

const details = {
  name: 'Hunter & Söhne Geospatial Pty Ltd',
  country: 'AU',
  abn: '53 004 085 616',
  billing_email: 'pay@hunter.example',
  billing_address: { line1: '22 Bolton Road', city: 'Newcastle', region: 'NSW', postal_code: '2300' },
}

/** A top-up by card, of which a part is refunded; with play money if the call has it. */
async function buyCredits(services: TestServices, has_play_money: boolean): Promise<void> {
  const runner = createTaskRunner(services)
  const { owner } = await createPayingOrganization(services, runner)
  const call = { ...owner, seller: { ...owner.seller, has_play_money } }
  await callOperation(call, 'organizations.update', details)
  const { id } = await callOperation<{ id: string }>(call, 'billing.topup', { credits: 5000 })
  if (!has_play_money) await callOperation(call, 'billing.refunds.request', { topup_id: id, credits: 1999 })
  await runner.runPending()
  await writeDocuments(call)
}

/** The invoices of two months, of which one is paid and one is credited in part. */
async function buyByInvoice(services: TestServices, changes: object): Promise<void> {
  const buyer = await createEnterprise(services)
  const { organization: organization_id, owner } = buyer
  const operator = await createOperator(services)
  await callOperation(owner, 'organizations.update', changes)
  const closeMonth = async (): Promise<string> => {
    await buyer.placeAndDeliver({ product: 'Radar', km2: '10.5' }, { product: 'Photographs', km2: '0.0633' })
    await buyer.placeAndDeliver({ product: 'Photographs', km2: '125.7143' })
    const now = services.clock.now()
    advanceClockTo(services.clock, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString())
    const run = await callOperation<{ invoice_id: string }>(owner, 'billing.run_monthly_for_org', { organization_id })
    await numberIssuedDocuments(owner.db, owner)
    return run.invoice_id
  }
  const paid = { organization_id, invoice_id: await closeMonth(), payment_reference: 'FT-26064' }
  await callOperation(operator, 'admin.invoices.mark_paid', paid)
  const credited = { organization_id, invoice_id: await closeMonth(), amount_aud: 12.34, reason: 'Cloud over the farm' }
  await callOperation(operator, 'admin.invoices.credit', credited)
  await writeDocuments(owner)
}

await mkdir(folder, { recursive: true })
const services = await openTestServices()
await buyCredits(services, false)
await buyCredits(services, true)
await buyByInvoice(services, { ...details, purchase_order_number: 'PO-778' })
await buyByInvoice(services, { ...details, abn: null, country: 'NZ', tax_number: '123-456-789' })
await buyByInvoice(services, { name: 'No address' })
const { seller } = makeInvoiceDocument()
const sandbox = makeInvoiceDocument({
  purpose: 'sandbox',
  number: 'SANDBOX-IN-000001',
  due_at: '2026-03-31T00:00:00.000Z',
  seller: { ...seller, abn: null, bank: null, payment_terms: null },
  gst_cents: null,
})
for (const format of formats) {
  const { extension, write } = billingDocumentFormats[format]
  await writeFile(join(folder, `${sandbox.number}.${extension}`), await write(sandbox))
}
await services.close()
