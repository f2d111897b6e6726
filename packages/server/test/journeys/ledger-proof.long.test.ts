import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ChargeExplanation, JournalLine, LedgerVerdict, Lot } from '@swath/contract/shapes/ledger.ts'
import { assertBooks, unchanged } from '../books.ts'
import { capturesOf, moneyOf, placeScenes, quiet, waitForOrder, type ReadOrder } from '../orders.ts'
import { makeOrganization, type Person, type TestOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

let house: TestHouse
let made: TestOrganization
let owner: Person
let buyer: Person
let order: ReadOrder
let folder: string
before(async () => {
  house = await bootHouse()
  made = await makeOrganization(house, 10_000)
  owner = made.owner
  buyer = await made.join('admin')
  folder = await mkdtemp(join(tmpdir(), 'swath-export-'))
  const id = await placeScenes(buyer.client, 'commercial', ['naip-va-17n'])
  order = await waitForOrder(buyer.client, id, 'FULFILLED')
  await quiet(house)
})
after(async () => {
  await house?.close()
  await rm(folder, { recursive: true, force: true })
})

const verdictOf = (person: Person): Promise<LedgerVerdict> => person.client.call('billing.ledger.verify', {})

const program = join(import.meta.dirname, '..', '..', '..', '..', 'tools', 'verify-ledger.mjs')

/** Runs the verifier on an exported file, as a customer does offline. */
async function check(name: string, text: string | Uint8Array, ...words: string[]) {
  const file = join(folder, name)
  await writeFile(file, text)
  return spawnSync(process.execPath, [program, file, ...words], { encoding: 'utf8', env: {} })
}

test('a customer verifies an export offline against the chain head stored earlier', async () => {
  const kept = (await verdictOf(owner)).head
  const id = await placeScenes(buyer.client, 'commercial', ['naip-va-17n'])
  await waitForOrder(buyer.client, id, 'FULFILLED')
  await quiet(house)
  const { valid, head, entries, faults } = await verdictOf(owner)
  assert.deepEqual([valid, faults, entries], [true, [], head.position])
  assert.ok(head.position > kept.position)
  for (const format of ['ndjson', 'csv'] as const) {
    const response = await owner.client.fetch('/v1/op/billing.ledger.export', {
      method: 'POST',
      body: JSON.stringify({ format }),
    })
    const type = { ndjson: 'application/x-ndjson', csv: 'text/csv' }[format]
    assert.equal(response.headers.get('content-type'), `${type}; charset=utf-8`)
    const text = await response.text()
    const sound = await check(`sound.${format}`, text, '--head', head.hash, '--contains', kept.hash)
    assert.equal(sound.status, 0, sound.stdout + sound.stderr)
    assert.match(sound.stdout, new RegExp(`Entries +${entries}, positions 1 to ${entries}\\n`))
    assert.match(sound.stdout, new RegExp(`Known hash +at position ${kept.position}\\n`))
    const bent = await check(`bent.${format}`, text.replace('orders.archive.place', 'orders.archive.plaze'))
    assert.equal(bent.status, 1)
    assert.match(bent.stdout, /FAULT/)
  }
  const part: JournalLine[] = []
  for await (const line of owner.client.lines<JournalLine>('billing.ledger.export', { after: kept.position }))
    part.push(line)
  assert.equal(part[0]?.previous_hash, kept.hash)
  assert.equal(part.at(-1)?.hash, head.hash)
})

test('billing.charge.explain returns the actor, lines, tax and entries of an order', async () => {
  const told = await owner.client.call<ChargeExplanation>('billing.charge.explain', { order_id: order.id })
  assert.deepEqual([told.total_credits, told.settlement?.settled_credits], [order.totalCredits, order.creditsCaptured])
  assert.equal(told.actor, buyer.user)
  assert.equal(told.operation, 'orders.archive.place')
  assert.deepEqual(
    told.lines.map((line) => line.settled_credits),
    told.lines.map((line) => line.amount_credits),
  )
  assert.equal(
    told.lines.reduce((sum, line) => sum + line.amount_credits, 0),
    order.totalCredits,
  )
  for (const line of told.lines) {
    assert.equal(line.unit, 'km2')
    assert.ok(line.charged_quantity >= line.measured_quantity && line.charged_quantity >= line.minimum_quantity)
    assert.equal(line.amount_credits, Math.ceil(line.charged_quantity * line.rate_credits))
    assert.match(line.priced_on, /^\d{4}-\d{2}-\d{2}$/)
  }
  assert.equal(told.gst_credits, Math.round(order.creditsCaptured / 11))
  assert.deepEqual(
    told.entries.map(({ kind }) => kind),
    ['hold', 'capture'],
  )
  const { transactions } = await owner.client.call<{ transactions: { id: string; reason: string }[] }>(
    'billing.credits.transactions',
    { reason: 'capture' },
  )
  const again = await owner.client.call('billing.charge.explain', { transaction_id: transactions.at(-1)!.id })
  assert.deepEqual(again, told)
})

test('the spend of a member counts towards its limit, and the refusal says when credits free up', async () => {
  const { entries } = await verdictOf(owner)
  const window = await buyer.client.call<{ window_used_credits: number; frees: { at: string; credits: number }[] }>(
    'organizations.members.spend.get',
    {},
  )
  assert.equal(window.window_used_credits, 2 * order.creditsCaptured)
  assert.deepEqual(
    window.frees.map(({ credits }) => credits),
    [order.creditsCaptured, order.creditsCaptured],
  )
  const limit = 2 * order.creditsCaptured + 1
  await owner.client.call('organizations.members.set_spend_limit', { userId: buyer.user, spendLimitCredits: limit })
  const captures = await capturesOf(buyer.client, 'commercial', ['naip-va-17n'])
  const response = await unchanged(house, () =>
    buyer.client.fetch('/v1/op/orders.archive.place', { method: 'POST', body: JSON.stringify({ captures }) }),
  )
  const problem = (await response.json()) as Record<string, unknown>
  assert.equal(response.status, 403, JSON.stringify(problem))
  const { title, window_used, requested, frees_at } = problem
  assert.deepEqual(
    [title, problem['limit'], window_used, requested, frees_at],
    ['Spend limit exceeded', limit, window.window_used_credits, order.totalCredits, window.frees[0]!.at],
  )
  assert.equal((await verdictOf(owner)).entries, entries)
  // The owner has no limit: limits apply to one member.
  await waitForOrder(owner.client, await placeScenes(owner.client, 'commercial', ['naip-va-17n']), 'FULFILLED')
  await quiet(house)
})

test('lots, balance and journal agree', async () => {
  const { lots } = await owner.client.call<{ lots: Lot[] }>('billing.lots.list', {})
  const { available, held } = await moneyOf(owner.client)
  assert.deepEqual(
    [lots.reduce((sum, lot) => sum + lot.available_credits, 0), lots.reduce((sum, lot) => sum + lot.held_credits, 0)],
    [available, held],
  )
  assert.equal((await verdictOf(owner)).valid, true)
  await assertBooks(house)
})
