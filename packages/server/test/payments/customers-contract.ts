import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import {
  createCustomerWithCard,
  createCustomer,
  failedWith,
  refundInput,
  isPaymentsFailure,
  type ContractTests,
} from './payments-harness.ts'

export const customersContract: ContractTests = {
  'a saved card has brand, last digits and expiry': async (harness) => {
    const { card } = await createCustomerWithCard(harness)
    assert.match(card.id, /^pm_/)
    assert.equal(card.kind, 'card')
    assert.equal(card.brand, 'visa')
    assert.equal(card.last4, '4242')
    assert.ok(card.exp_month! >= 1 && card.exp_month! <= 12 && card.exp_year! > 2025)
  },
  'a setup intent is created for a customer': async (harness) => {
    const setupIntent = await harness.payments.createSetupIntent(await createCustomer(harness), newId())
    assert.equal(setupIntent.status, 'requires_payment_method')
    assert.ok(setupIntent.client_secret.startsWith(`${setupIntent.id}_secret_`))
  },
  'a card whose issuer refuses to save it is declined': async (harness) => {
    const customer = await createCustomer(harness)
    const card = await harness.createCard('refused')
    await assert.rejects(harness.payments.attach(customer, card), failedWith('declined', 'card_declined'))
  },
  'attaching a saved card again returns the same card': async (harness) => {
    const { customer, card } = await createCustomerWithCard(harness)
    assert.deepEqual(await harness.payments.attach(customer, card.id), card)
  },
  'the same test card gets a different id for each customer': async (harness) => {
    const [one, two] = [await createCustomerWithCard(harness), await createCustomerWithCard(harness)]
    assert.notEqual(one.card.id, two.card.id)
  },
  'a card can be set as default': async (harness) => {
    const { customer, card } = await createCustomerWithCard(harness)
    await harness.payments.setDefault(customer, card.id)
  },
  'detaching is idempotent': async (harness) => {
    const { card } = await createCustomerWithCard(harness)
    await harness.payments.detach(card.id)
    await harness.payments.detach(card.id)
  },
  'findCard returns a saved card, and null for a detached or unknown one': async (harness) => {
    const { card } = await createCustomerWithCard(harness)
    assert.deepEqual(await harness.payments.findCard(card.id), card)
    await harness.payments.detach(card.id)
    assert.equal(await harness.payments.findCard(card.id), null)
    assert.equal(await harness.payments.findCard('pm_nothing'), null)
  },
  'a charge of a detached card is refused': async (harness) => {
    const { customer, card } = await createCustomerWithCard(harness)
    await harness.payments.detach(card.id)
    const input = { customer, payment_method: card.id, amount_cents: 500, capture: 'automatic', metadata: {} } as const
    await assert.rejects(harness.payments.charge(input, newId()), isPaymentsFailure)
  },
  'a card of another customer is refused': async (harness) => {
    const { card } = await createCustomerWithCard(harness)
    const customer = await createCustomer(harness)
    const input = { customer, payment_method: card.id, amount_cents: 500, capture: 'automatic', metadata: {} } as const
    await assert.rejects(harness.payments.charge(input, newId()), isPaymentsFailure)
    await assert.rejects(harness.payments.attach(customer, card.id), isPaymentsFailure)
    await assert.rejects(harness.payments.setDefault(customer, card.id), isPaymentsFailure)
  },
  'a customer without invoices has an empty list': async (harness) => {
    assert.deepEqual(await harness.payments.invoices(await createCustomer(harness), 10), [])
  },
  'unknown ids fail with not-found': async (harness) => {
    const { payments } = harness
    const { customer, card } = await createCustomerWithCard(harness)
    const input = { amount_cents: 500, capture: 'automatic', metadata: {} } as const
    const unknownCustomer = { ...input, customer: 'cus_nobody', payment_method: card.id }
    const unknownCard = { ...input, customer, payment_method: 'pm_nothing' }
    const notFound = failedWith('not-found')
    await assert.rejects(payments.attach(customer, 'pm_nothing'), notFound)
    await assert.rejects(payments.attach('cus_nobody', await harness.createCard('good')), notFound)
    await assert.rejects(payments.setDefault('cus_nobody', card.id), notFound)
    await assert.rejects(payments.detach('pm_nothing'), notFound)
    await assert.rejects(payments.charge(unknownCustomer, newId()), notFound)
    await assert.rejects(payments.charge(unknownCard, newId()), notFound)
    await assert.rejects(payments.find('pi_nothing'), notFound)
    await assert.rejects(payments.capture('pi_nothing', 1, newId()), notFound)
    await assert.rejects(payments.cancel('pi_nothing', newId()), notFound)
    await assert.rejects(payments.refund(refundInput('pi_nothing', 1), newId()), notFound)
  },
}
