import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Invoice } from '@swath/contract/schemas/billing.ts'
import type { Call } from '../../../engine/call.ts'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import { sql } from '../../../platform/database/sql.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { newId } from '../../../platform/ids.ts'
import {
  createEnterprise,
  createOperator,
  dumpMoneyTables,
  advanceClockTo,
  type EnterpriseFixture,
} from '../../../../test/enterprise.ts'
import { numberIssuedDocuments } from '../../../../test/invoices.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { createTaskRunner } from '../../../../test/task-runner.ts'
import { callOperation, createBillingReader, createClaim } from '../../../../test/payment-fixtures.ts'
import { readBillingStatus } from '../../billing/account-status.ts'

let holdings: TestServices
let operator: Call
before(async () => {
  holdings = await openTestServices()
  operator = await createOperator(holdings)
})
after(() => holdings?.close())

/** An enterprise with the open invoice of the last month, for `km2` square kilometres at 1 AUD. */
async function createInvoicedBuyer(km2: string, country: string | null = null) {
  const buyer = await createEnterprise(holdings, country)
  const bought = await buyer.placeAndDeliver({ product: 'Radar', km2 })
  const now = holdings.clock.now()
  advanceClockTo(holdings.clock, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString())
  const { invoice_id } = await callOperation<{ invoice_id: string }>(buyer.owner, 'billing.run_monthly_for_org', {
    organization_id: buyer.organization,
  })
  await numberIssuedDocuments(buyer.owner.db, buyer.owner)
  return { buyer, bought, invoice_id }
}

const read = async ({ owner }: EnterpriseFixture, invoice_id: string): Promise<Invoice> =>
  (await callOperation<{ invoice: Invoice }>(owner, 'billing.invoices.get', { invoice_id })).invoice
const list = async ({ owner }: EnterpriseFixture): Promise<Invoice[]> =>
  (await callOperation<{ invoices: Invoice[] }>(owner, 'billing.invoices.list', { limit: 50 })).invoices
const pay = async ({ organization: organization_id }: EnterpriseFixture, invoice_id: string): Promise<Invoice> =>
  (await callOperation<{ invoice: Invoice }>(operator, 'admin.invoices.mark_paid', { organization_id, invoice_id }))
    .invoice
type CreditResult = { credit_note: Invoice; invoice: Invoice }
const credit = (
  { organization: organization_id }: EnterpriseFixture,
  invoice_id: string,
  amount_aud: number | null = null,
  call: Call = operator,
) =>
  callOperation<CreditResult>(call, 'admin.invoices.credit', {
    organization_id,
    invoice_id,
    amount_aud,
    reason: 'Agreed',
  })

test('an invoice lists the purchase, is due in 30 days, and is not visible to other organizations', async () => {
  const { buyer, bought, invoice_id } = await createInvoicedBuyer('11', 'AU')
  const invoice = await read(buyer, invoice_id)
  const { number, kind, status, total_aud, gst_aud, credited_aud, paid_at } = invoice
  assert.deepEqual(
    [number, kind, status, total_aud, gst_aud, credited_aud, paid_at],
    ['IN-000001', 'invoice', 'open', 11, 1, 0, null],
  )
  assert.equal(Date.parse(invoice.due_at!) - Date.parse(invoice.issued_at!), 30 * 86_400_000)
  assert.deepEqual(invoice.lines, [
    {
      description: 'Radar',
      quantity: 11,
      unit: 'km2',
      unit_price_aud: 1,
      amount_aud: 11,
      order_id: bought.order_id,
      scene_id: 'demo:Radar',
      tax_code: 'S',
    },
  ])
  const other = await createEnterprise(holdings)
  await assert.rejects(read(other, invoice_id), { problem: 'not-found' })
  await assert.rejects(callOperation(other.owner, 'billing.invoices.download', { invoice_id }), {
    problem: 'not-found',
  })
  for (const change of [pay(other, invoice_id), credit(other, invoice_id)]) {
    await assert.rejects(change, { problem: 'not-found' })
  }
})

test('marking an invoice as paid twice posts one payment and issues one receipt', async () => {
  const { buyer, invoice_id } = await createInvoicedBuyer('11')
  const paid = await pay(buyer, invoice_id)
  assert.deepEqual([paid.status, paid.paid_at], ['paid', holdings.clock.now().toISOString()])
  const before = await dumpMoneyTables(holdings)
  holdings.clock.advance(5000)
  assert.deepEqual(await pay(buyer, invoice_id), paid)
  assert.deepEqual(await dumpMoneyTables(holdings), before)
  const balances = await buyer.readBalances()
  assert.deepEqual(
    [balances['enterprise.invoiced'], balances['stripe.clearing'], balances['tax'], balances['revenue']],
    [0, -1100, 100, 1000],
  )
  await numberIssuedDocuments(buyer.owner.db, buyer.owner)
  const [receipt] = await list(buyer)
  assert.deepEqual(
    [receipt!.kind, receipt!.number, receipt!.total_aud, receipt!.gst_aud, receipt!.belongs_to_id],
    ['receipt', 'RC-000001', 11, 1, invoice_id],
  )
})

test('a partial credit note reduces the payment of the invoice', async () => {
  const { buyer, invoice_id } = await createInvoicedBuyer('11')
  const { credit_note, invoice } = await credit(buyer, invoice_id, 5.5)
  assert.deepEqual([credit_note.total_aud, credit_note.gst_aud, credit_note.belongs_to_id], [5.5, 0.5, invoice_id])
  assert.deepEqual([invoice.status, invoice.credited_aud, invoice.total_aud], ['open', 5.5, 11])
  await pay(buyer, invoice_id)
  const balances = await buyer.readBalances()
  assert.deepEqual(
    [balances['enterprise.invoiced'], balances['stripe.clearing'], balances['refunds'], balances['tax']],
    [0, -550, -550, 50],
  )
  assert.equal((await list(buyer))[0]!.total_aud, 5.5)
  // A credit note on a paid invoice is owed to its buyer.
  await credit(buyer, invoice_id)
  assert.equal((await buyer.readBalances())['enterprise.invoiced'], 550)
  assert.equal((await buyer.readBalances())['tax'], 0)
  assert.equal((await read(buyer, invoice_id)).status, 'paid')
})

test('a fully credited invoice is void, and its GST is reversed to the cent across several credit notes', async () => {
  const { buyer, invoice_id } = await createInvoicedBuyer('0.5') // 50 cents, 4.55 → 5 of tax
  const parts = [0.17, 0.17]
  for (const part of parts) assert.equal((await credit(buyer, invoice_id, part)).credit_note.gst_aud, 0.02)
  const { credit_note, invoice } = await credit(buyer, invoice_id)
  assert.deepEqual([credit_note.total_aud, credit_note.gst_aud, invoice.status], [0.16, 0.01, 'void'])
  const balances = await buyer.readBalances()
  assert.deepEqual([balances['enterprise.invoiced'], balances['tax'], balances['refunds']], [0, 0, -50])
  await assert.rejects(pay(buyer, invoice_id), { problem: 'invalid-state' })
})

test('crediting more than the remainder, fractions of a cent or other documents is refused and changes nothing', async () => {
  const { buyer, invoice_id } = await createInvoicedBuyer('11', 'NZ')
  const { credit_note } = await credit(buyer, invoice_id, 1)
  assert.equal(credit_note.gst_aud, null)
  const before = await dumpMoneyTables(holdings)
  await assert.rejects(credit(buyer, invoice_id, 10.01), { problem: 'invalid-state' })
  await assert.rejects(credit(buyer, invoice_id, 0.001), { problem: 'validation' })
  await assert.rejects(credit(buyer, credit_note.id, 1), { problem: 'not-found' })
  await assert.rejects(pay(buyer, newId()), { problem: 'not-found' })
  await assert.rejects(credit({ ...buyer, organization: newId() }, invoice_id), { problem: 'not-found' })
  assert.deepEqual(await dumpMoneyTables(holdings), before)
  await credit(buyer, invoice_id, 10)
  await assert.rejects(credit(buyer, invoice_id), { problem: 'invalid-state' })
})

test('a retry of a credit with the same key issues one credit note', async () => {
  const { buyer, invoice_id } = await createInvoicedBuyer('11')
  const call = { ...operator, claim: createClaim() }
  const first = await credit(buyer, invoice_id, 2, call)
  assert.deepEqual(await credit(buyer, invoice_id, 2, call), first)
  assert.equal((await read(buyer, invoice_id)).credited_aud, 2)
})

test('concurrent credits never exceed the invoice', async () => {
  const { buyer, invoice_id } = await createInvoicedBuyer('11')
  const attempts = await Promise.allSettled([5, 5, 5].map((aud) => credit(buyer, invoice_id, aud)))
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 2)
  assert.equal((await read(buyer, invoice_id)).credited_aud, 10)
})

test('an overdue invoice makes the organization past due until it is paid or void', async () => {
  const [paid, voided] = [await createInvoicedBuyer('1'), await createInvoicedBuyer('2')]
  const status = async ({ buyer }: typeof paid) => (await readBillingStatus(buyer.owner)).status
  assert.deepEqual([await status(paid), await status(voided)], ['active', 'active'])
  holdings.clock.advance(31 * 86_400_000)
  assert.deepEqual([await status(paid), await status(voided)], ['past_due', 'past_due'])
  await pay(paid.buyer, paid.invoice_id)
  await credit(voided.buyer, voided.invoice_id)
  assert.deepEqual([await status(paid), await status(voided)], ['active', 'active'])
})

test('documents are rendered as PDF with their current status, and the stored document does not change', async () => {
  const { buyer, invoice_id } = await createInvoicedBuyer('11', 'AU')
  const print = async (id: string): Promise<BytesResponse> =>
    callOperation<BytesResponse>(buyer.owner, 'billing.invoices.download', { invoice_id: id, format: 'pdf' })
  const open = await print(invoice_id)
  assert.equal(open.media_type, 'application/pdf')
  assert.match(open.headers['content-disposition']!, /^attachment; filename="IN-\d{6}\.pdf"$/)
  assert.equal(Buffer.from(open.body.subarray(0, 5)).toString(), '%PDF-')
  assert.deepEqual(Buffer.from((await print(invoice_id)).body), Buffer.from(open.body))
  await pay(buyer, invoice_id)
  await credit(buyer, invoice_id, 1)
  assert.notDeepEqual(Buffer.from((await print(invoice_id)).body), Buffer.from(open.body))
  for (const { id } of await list(buyer)) assert.ok((await print(id)).body.length > 1000)
  const [row] = await buyer.owner.db.query<{ document: { status: string } }>(sql`
    select document from invoices where organization_id = ${buyer.organization} and id = ${invoice_id}`)
  assert.equal(row!.document.status, 'open')
})

test('a download of a document that waits for its number gives it one', async () => {
  const buyer = await createEnterprise(holdings, 'AU')
  await buyer.placeAndDeliver({ product: 'Radar', km2: '1' })
  const now = holdings.clock.now()
  advanceClockTo(holdings.clock, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString())
  const run = { organization_id: buyer.organization }
  const { invoice_id } = await callOperation<{ invoice_id: string }>(buyer.owner, 'billing.run_monthly_for_org', run)
  assert.deepEqual([(await read(buyer, invoice_id)).number, (await read(buyer, invoice_id)).status], [null, 'draft'])
  await assert.rejects(pay(buyer, invoice_id), { problem: 'invalid-state' })
  const input = { invoice_id, format: 'xml' }
  const { headers } = await callOperation<BytesResponse>(buyer.owner, 'billing.invoices.download', input)
  const { number, status } = await read(buyer, invoice_id)
  assert.equal(headers['content-disposition'], `attachment; filename="${number}.xml"`)
  assert.equal(status, 'open')
})

test('a failed numbering is retried, and the invoice is announced once it has its number', async () => {
  const runner = createTaskRunner(holdings)
  const buyer = await createEnterprise(holdings, 'AU')
  await buyer.placeAndDeliver({ product: 'Radar', km2: '1' })
  const now = holdings.clock.now()
  advanceClockTo(holdings.clock, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString())
  const call = { ...buyer.owner, queue: runner.queue }
  const { organization } = buyer
  const { invoice_id } = await callOperation<{ invoice_id: string }>(call, 'billing.run_monthly_for_org', {
    organization_id: organization,
  })
  const { eventData } = createBillingReader(holdings, organization)
  assert.deepEqual(
    [await eventData('invoice.issued'), runner.pendingTasks(organization)],
    [[], [backgroundTaskTypes.numberDocument.name]],
  )
  const data = { organization_id: organization, document_id: newId() }
  await assert.rejects(runner.runTask(backgroundTaskTypes.numberDocument, data), /No invoice/)
  await runner.runPending()
  await runner.runTask(backgroundTaskTypes.numberDocument, { ...data, document_id: invoice_id })
  const { number } = await read(buyer, invoice_id)
  assert.deepEqual(
    (await eventData('invoice.issued')).map((event) => event['number']),
    [number],
  )
})

test('the ledger is valid after all of these tests', () => assertLedgerConsistent(holdings))
