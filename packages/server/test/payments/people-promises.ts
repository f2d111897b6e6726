import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import { cardHolder, customerOf, failure, refund, refused, type Promises } from './bench.ts'

export const peoplePromises: Promises = {
  'a saved card has brand, last digits and expiry': async (bench) => {
    const { card } = await cardHolder(bench)
    assert.match(card.id, /^pm_/)
    assert.equal(card.kind, 'card')
    assert.equal(card.brand, 'visa')
    assert.equal(card.last4, '4242')
    assert.ok(card.exp_month! >= 1 && card.exp_month! <= 12 && card.exp_year! > 2025)
  },
  'a setup intent is created for a customer': async (bench) => {
    const made = await bench.payments.createSetupIntent(await customerOf(bench), newId())
    assert.equal(made.status, 'requires_payment_method')
    assert.ok(made.client_secret.startsWith(`${made.id}_secret_`))
  },
  'a card whose issuer refuses to save it is declined': async (bench) => {
    const customer = await customerOf(bench)
    const card = await bench.card('refused')
    await assert.rejects(bench.payments.attach(customer, card), failure('declined', 'card_declined'))
  },
  'attaching a saved card again returns the same card': async (bench) => {
    const { customer, card } = await cardHolder(bench)
    assert.deepEqual(await bench.payments.attach(customer, card.id), card)
  },
  'the same test card gets a different id for each customer': async (bench) => {
    const [one, two] = [await cardHolder(bench), await cardHolder(bench)]
    assert.notEqual(one.card.id, two.card.id)
  },
  'a card can be set as default': async (bench) => {
    const { customer, card } = await cardHolder(bench)
    await bench.payments.setDefault(customer, card.id)
  },
  'detaching is idempotent': async (bench) => {
    const { card } = await cardHolder(bench)
    await bench.payments.detach(card.id)
    await bench.payments.detach(card.id)
  },
  'findCard returns a saved card, and null for a detached or unknown one': async (bench) => {
    const { card } = await cardHolder(bench)
    assert.deepEqual(await bench.payments.findCard(card.id), card)
    await bench.payments.detach(card.id)
    assert.equal(await bench.payments.findCard(card.id), null)
    assert.equal(await bench.payments.findCard('pm_nothing'), null)
  },
  'a charge of a detached card is refused': async (bench) => {
    const { customer, card } = await cardHolder(bench)
    await bench.payments.detach(card.id)
    const terms = { customer, payment_method: card.id, amount_cents: 500, capture: 'automatic', metadata: {} } as const
    await assert.rejects(bench.payments.charge(terms, newId()), refused)
  },
  'a card of another customer is refused': async (bench) => {
    const { card } = await cardHolder(bench)
    const customer = await customerOf(bench)
    const terms = { customer, payment_method: card.id, amount_cents: 500, capture: 'automatic', metadata: {} } as const
    await assert.rejects(bench.payments.charge(terms, newId()), refused)
    await assert.rejects(bench.payments.attach(customer, card.id), refused)
    await assert.rejects(bench.payments.setDefault(customer, card.id), refused)
  },
  'a customer without invoices has an empty list': async (bench) => {
    assert.deepEqual(await bench.payments.invoices(await customerOf(bench), 10), [])
  },
  'unknown ids fail with not-found': async (bench) => {
    const { payments } = bench
    const { customer, card } = await cardHolder(bench)
    const terms = { amount_cents: 500, capture: 'automatic', metadata: {} } as const
    const nobody = { ...terms, customer: 'cus_nobody', payment_method: card.id }
    const nothing = { ...terms, customer, payment_method: 'pm_nothing' }
    const gone = failure('not-found')
    await assert.rejects(payments.attach(customer, 'pm_nothing'), gone)
    await assert.rejects(payments.attach('cus_nobody', await bench.card('good')), gone)
    await assert.rejects(payments.setDefault('cus_nobody', card.id), gone)
    await assert.rejects(payments.detach('pm_nothing'), gone)
    await assert.rejects(payments.charge(nobody, newId()), gone)
    await assert.rejects(payments.charge(nothing, newId()), gone)
    await assert.rejects(payments.find('pi_nothing'), gone)
    await assert.rejects(payments.capture('pi_nothing', 1, newId()), gone)
    await assert.rejects(payments.cancel('pi_nothing', newId()), gone)
    await assert.rejects(payments.refund(refund('pi_nothing', 1), newId()), gone)
  },
}
