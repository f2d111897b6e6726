import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OrganizationDetails } from '@swath/contract/schemas/member.ts'
import type { Call } from '../../engine/call.ts'
import { callOperation } from '../../../test/payment-fixtures.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { issueBillingDocument } from '../invoicing/documents/issue-document.ts'
import { readBillingDocument, requireBillingDocument } from '../invoicing/documents/invoice-response.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

type Answer = { organization: OrganizationDetails }
const update = async (call: Call, input: object) =>
  (await callOperation<Answer>(call, 'organizations.update', input)).organization
const read = async (call: Call) => (await callOperation<Answer>(call, 'organizations.get')).organization

const receipt = {
  kind: 'receipt',
  lines: [
    { description: 'Credits', quantity: 1, unit: null, unit_price_cents: null, amount_cents: 1100, order_id: null },
  ],
} as const

test('an update changes only the requested details, null removes one, and the ABN has no spaces', async () => {
  const { organization, owner } = await services.createOrganization()
  const address = { line1: '22 Bolton Avenue', city: 'Newcastle', region: 'NSW', postal_code: '2300' }
  const input = { name: 'Hunter', country: 'AU', abn: '53 004 085 616', billing_address: address }
  const changed = await update(owner, { ...input, billing_email: 'pay@hunter.example' })
  const expected = {
    id: organization,
    name: 'Hunter',
    country: 'AU',
    abn: '53004085616',
    tax_number: null,
    billing_email: 'pay@hunter.example',
    billing_address: address,
    purchase_order_number: null,
  }
  assert.deepEqual(changed, expected)
  await update(owner, { abn: null, purchase_order_number: 'PO-778', name: null })
  assert.deepEqual(await read(owner), { ...expected, abn: null, purchase_order_number: 'PO-778' })
})

test('an invalid ABN is refused and changes nothing', async () => {
  const { owner } = await services.createOrganization()
  await assert.rejects(update(owner, { abn: '53004085617', name: 'Other' }), { problem: 'validation' })
  assert.equal((await read(owner)).name, 'Test')
})

test('admins change everything, the billing role all but the name, and members nothing', async () => {
  const { owner, createMemberCall } = await services.createOrganization()
  const admin = await createMemberCall('admin')
  assert.equal((await update(admin, { name: 'Renamed' })).name, 'Renamed')
  const billing = await createMemberCall('billing')
  assert.equal((await update(billing, { purchase_order_number: 'PO-1' })).purchase_order_number, 'PO-1')
  await assert.rejects(update(billing, { name: 'Other' }), { problem: 'forbidden' })
  await assert.rejects(update(await createMemberCall('member'), { tax_number: '1' }), { problem: 'forbidden' })
  assert.equal((await read(owner)).name, 'Renamed')
})

test('another organization does not exist for the caller', async () => {
  const { owner } = await services.createOrganization()
  const { organization: organization_id } = await services.createOrganization()
  await assert.rejects(update(owner, { organization_id, name: 'Mine' }), { problem: 'not-found' })
  await assert.rejects(callOperation(owner, 'organizations.get', { organization_id }), { problem: 'not-found' })
})

test('a document keeps the details of when it was issued, and the next one has the new ones', async () => {
  const { organization, owner } = await services.createOrganization()
  const issue = async () => (await owner.transaction((tx) => issueBillingDocument(tx, owner, receipt))).id
  const printed = async (id: string) =>
    (await readBillingDocument(owner.db, organization, await requireBillingDocument(owner.db, organization, id))).buyer
  const earlier = await issue()
  await update(owner, { name: 'Renamed', country: 'NZ', purchase_order_number: 'PO-2' })
  const later = await issue()
  const facts = ({ name, country, purchase_order_number }: Awaited<ReturnType<typeof printed>>) => [
    name,
    country,
    purchase_order_number,
  ]
  assert.deepEqual(facts(await printed(earlier)), ['Test', 'AU', null])
  assert.deepEqual(facts(await printed(later)), ['Renamed', 'NZ', 'PO-2'])
})
