import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { skipOnCitus } from '../../../../test/citus/cluster.ts'
import { newId } from '../../../platform/ids.ts'
import { getSchemaOwnerConnection } from '../../../platform/database/raw.ts'
import { sql } from '../../../platform/database/sql.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { openTestServices, seller, type TestServices } from '../../../../test/test-services.ts'
import { listJournalEntries } from '../../ledger/store.entries.ts'
import { findBalancesAndLots } from '../../ledger/store.ledger.ts'
import { assignDocumentNumber } from './number-document.ts'
import { issueBillingDocument, type IssueDocumentRequest } from './issue-document.ts'
import { readBillingDocument, toBillingInvoice } from './invoice-response.ts'
import { findBillingDocument, findBillingDocumentByReference } from './store.invoices.ts'

let holdings: TestServices
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

const line = (amount_cents: number) => ({
  description: 'Credits',
  quantity: 1,
  unit: null,
  unit_price_cents: amount_cents,
  amount_cents,
  order_id: null,
})

const documentRequest = (overrides: Partial<IssueDocumentRequest> = {}): IssueDocumentRequest => ({
  kind: 'receipt',
  lines: [line(1100)],
  ...overrides,
})

async function createBuyer(billingDetails: { country?: string; abn?: string; address?: object } = {}) {
  const { organization, owner } = await holdings.createOrganization()
  await holdings.database.unscoped.query(sql`
    update organizations
    set country = ${billingDetails.country ?? null}, abn = ${billingDetails.abn ?? null}, billing_email = 'pay@buyer.example',
        billing_address = ${billingDetails.address ? sql.json(billingDetails.address) : null}
    where organization_id = ${organization}`)
  const issue = async (overrides?: Partial<IssueDocumentRequest>) => {
    const { id } = await owner.transaction((tx) => issueBillingDocument(tx, owner, documentRequest(overrides)))
    return owner.transaction((tx) => assignDocumentNumber(tx, owner, id))
  }
  const balances = async () => Object.fromEntries((await findBalancesAndLots(owner.db, organization)).balances)
  return { organization, owner, issue, balances }
}

test('documents of all buyers are numbered per kind without gaps, also if they are numbered concurrently', async () => {
  const buyers = [await createBuyer(), await createBuyer()]
  const numbers = await Promise.all([0, 1, 1, 0].map(async (index) => (await buyers[index]!.issue()).number))
  assert.deepEqual(numbers.toSorted(), ['RC-000001', 'RC-000002', 'RC-000003', 'RC-000004'])
  assert.equal((await buyers[0]!.issue({ kind: 'invoice', status: 'open' })).number, 'IN-000001')
  assert.equal((await buyers[1]!.issue({ kind: 'invoice', status: 'open' })).number, 'IN-000002')
  assert.equal((await buyers[0]!.issue({ kind: 'credit_note' })).number, 'CR-000001')
})

test('a document has its seller and the current billing details of its buyer', async () => {
  const address = { country: 'Australia', postcode: 3000, city: 'Melbourne', line1: '120 Collins Street', note: '' }
  const { issue } = await createBuyer({ abn: '53004085616', address })
  const { document } = await issue({ period: '2026-02' })
  const { has_play_money: _, ...printedSeller } = seller
  assert.deepEqual(document.seller, printedSeller)
  assert.deepEqual(document.buyer, {
    name: 'Test',
    abn: '53004085616',
    tax_number: null,
    email: 'pay@buyer.example',
    address: ['120 Collins Street', 'Melbourne 3000', 'Australia'],
    country: 'AU',
    purchase_order_number: null,
  })
  assert.deepEqual([document.period, document.issued_at], ['2026-02', '2026-03-01T00:00:00.000Z'])
})

test('GST is posted when an invoice is issued, reversed by a credit note, and not posted by a payment', async () => {
  const { organization, owner, issue, balances } = await createBuyer({ country: 'AU' })
  const invoice = await issue({ kind: 'invoice', status: 'open', lines: [line(1100), line(5)] })
  assert.deepEqual([invoice.total_cents, invoice.gst_cents], [1105, 100])
  assert.deepEqual([(await balances())['revenue'], (await balances())['tax']], [-100, 100])
  await issue({ belongs_to: invoice, lines: [line(1105)] })
  assert.equal((await balances())['tax'], 100)
  const credit = await issue({ kind: 'credit_note', belongs_to: invoice, lines: [line(550)] })
  assert.equal((await readBillingDocument(owner.db, organization, credit)).reference, invoice.number)
  assert.deepEqual([(await balances())['revenue'], (await balances())['tax']], [-50, 50])
  const { rows: entries } = await listJournalEntries(owner.db, organization, { kind: 'tax', limit: 10, offset: 0 })
  assert.deepEqual(
    entries.map((entry) => [entry.amount_credits, entry.reference_type, entry.reference_id]),
    [
      [50, 'credit_note', credit.id],
      [-100, 'invoice', invoice.id],
    ],
  )
})

test('no GST applies outside Australia, and one eleventh is rounded half-even', async () => {
  const abroad = await createBuyer({ country: 'NZ' })
  assert.equal((await abroad.issue()).gst_cents, null)
  assert.equal((await abroad.balances())['tax'], 0)
  const { issue } = await createBuyer()
  assert.deepEqual(
    await Promise.all([5, 6, 16, 17].map(async (cents) => (await issue({ lines: [line(cents)] })).gst_cents)),
    [0, 1, 1, 2],
  )
})

test('issuing twice for the same reference returns the first document and posts one entry', async () => {
  const { organization, owner, issue, balances } = await createBuyer()
  const reference = { type: 'topup', id: newId() }
  const first = await issue({ reference })
  const again = await issue({ reference })
  assert.deepEqual(again, await findBillingDocumentByReference(owner.db, organization, 'receipt', reference))
  assert.deepEqual([again.id, again.number, again.document], [first.id, first.number, first.document])
  assert.equal((await balances())['tax'], 100)
  assert.notEqual((await issue({ kind: 'credit_note', reference })).id, first.id)
})

test('a document without amount and a failed transaction write nothing', async () => {
  const { organization, owner, issue, balances } = await createBuyer()
  await assert.rejects(issue({ lines: [] }), /positive integer of cents/)
  await assert.rejects(
    owner.transaction(async (tx) => {
      await issueBillingDocument(tx, owner, documentRequest())
      throw new Error('afterwards')
    }),
    /afterwards/,
  )
  const rows = await owner.db.query(sql`select id from invoices where organization_id = ${organization}`)
  assert.equal(rows.length, 0)
  assert.equal((await balances())['tax'] ?? 0, 0)
})

test(
  'a document cannot be changed or deleted, even by the owner of the tables',
  skipOnCitus('distributed tables have no triggers'),
  async () => {
    const { organization, issue } = await createBuyer()
    const { id } = await issue({ kind: 'invoice', status: 'open' })
    const owner = getSchemaOwnerConnection(holdings.database)
    for (const change of [
      sql`update invoices set total_cents = 1 where id = ${id} and organization_id = ${organization}`,
      sql`update invoices set document = '{}' where id = ${id} and organization_id = ${organization}`,
      sql`update invoices set due_at = null, number = 'X' where id = ${id} and organization_id = ${organization}`,
      sql`delete from invoices where id = ${id} and organization_id = ${organization}`,
    ]) {
      await assert.rejects(owner.query(change), /never changed|immutable|refuse/i)
    }
    await holdings.database.unscoped.query(sql`
    update invoices set status = 'paid', paid_at = ${holdings.clock.now()}
    where id = ${id} and organization_id = ${organization}`)
  },
)

test('a tax document is a draft until it is numbered, which a failure does not skip and a repetition does not repeat', async () => {
  const { organization, owner } = await createBuyer()
  const draft = await owner.transaction((tx) => issueBillingDocument(tx, owner, documentRequest()))
  assert.deepEqual([draft.number, draft.sequence, draft.seller], [null, null, seller.abn])
  assert.deepEqual((await toBillingInvoice(owner.db, organization, draft)).status, 'draft')
  const failing = owner.transaction(async (tx) => {
    await assignDocumentNumber(tx, owner, draft.id)
    throw new Error('afterwards')
  })
  await assert.rejects(failing, /afterwards/)
  const number = () => owner.transaction((tx) => assignDocumentNumber(tx, owner, draft.id))
  const rows = await Promise.all([number(), number()])
  assert.equal(rows[0]!.number, rows[1]!.number)
  const { issue } = await createBuyer()
  assert.equal((await issue()).sequence, rows[0]!.sequence! + 1)
})

test('a credit note is numbered after the document that it corrects', async () => {
  const { owner, organization } = await createBuyer()
  const issueDraft = (request: Partial<IssueDocumentRequest>) =>
    owner.transaction((tx) => issueBillingDocument(tx, owner, documentRequest(request)))
  const receipt = await issueDraft({})
  const note = await issueDraft({ kind: 'credit_note', belongs_to: receipt })
  const numbered = await owner.transaction((tx) => assignDocumentNumber(tx, owner, note.id))
  const corrected = await findBillingDocument(owner.db, organization, receipt.id)
  assert.match(corrected!.number!, /^RC-/)
  assert.equal((await readBillingDocument(owner.db, organization, numbered)).reference, corrected!.number)
})

test('each seller has its own numbers, also for the same buyer', async () => {
  const { owner } = await createBuyer()
  const issueFrom = async (name: string) => {
    const issuer = { ...owner, seller: { ...seller, abn: null, name } }
    const { id } = await owner.transaction((tx) =>
      issueBillingDocument(tx, issuer, documentRequest({ kind: 'credit_note' })),
    )
    return (await owner.transaction((tx) => assignDocumentNumber(tx, owner, id))).number
  }
  assert.deepEqual(
    [await issueFrom('A'), await issueFrom('B'), await issueFrom('A')],
    ['CR-000001', 'CR-000001', 'CR-000002'],
  )
})

test('a document of play money has a number of its organization at once, no GST, and names no tax number', async () => {
  const { owner, balances } = await createBuyer()
  const issuer = { ...owner, seller: { ...seller, has_play_money: true } }
  const issuePlay = (request: Partial<IssueDocumentRequest> = {}) =>
    owner.transaction((tx) => issueBillingDocument(tx, issuer, documentRequest(request)))
  const rows = [await issuePlay(), await issuePlay(), await issuePlay({ kind: 'invoice', status: 'open' })]
  assert.deepEqual(
    rows.map(({ number }) => number),
    ['PLAY-RC-000001', 'PLAY-RC-000002', 'PLAY-IN-000001'],
  )
  for (const { document, gst_cents } of rows)
    assert.deepEqual(
      [gst_cents, document.purpose, document.seller.abn, document.seller.bank],
      [null, 'play_money', null, null],
    )
  assert.equal((await balances())['tax'] ?? 0, 0)
})

test('the ledger is valid after all of these tests', () => assertLedgerConsistent(holdings))
