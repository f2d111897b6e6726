import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type {
  ChargeExplanation,
  JournalExportLine,
  LedgerVerificationResult,
  Lot,
} from '@swath/contract/schemas/ledger.ts'
import { assertLedgerConsistent, assertUnchanged } from '../ledger-assertions.ts'
import {
  findCaptures,
  getWalletBalance,
  placeSceneOrder,
  waitForOrderTasks,
  waitForOrder,
  type OrderJson,
} from '../orders.ts'
import { createTestOrganization, type TestUser, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
let owner: TestUser
let buyer: TestUser
let order: OrderJson
let folder: string
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 10_000)
  owner = org.owner
  buyer = await org.addMember('admin')
  folder = await mkdtemp(join(tmpdir(), 'swath-export-'))
  const id = await placeSceneOrder(buyer.client, 'commercial', ['naip-va-17n'])
  order = await waitForOrder(buyer.client, id, 'FULFILLED')
  await waitForOrderTasks(app)
})
after(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

const verifyLedgerAs = (person: TestUser): Promise<LedgerVerificationResult> =>
  person.client.call('billing.ledger.verify', {})

const verifierPath = join(import.meta.dirname, '..', '..', '..', '..', 'tools', 'verify-ledger.mjs')

/** Runs the verifier on an exported file, as a customer does offline. */
async function runVerifier(name: string, text: string | Uint8Array, ...args: string[]) {
  const file = join(folder, name)
  await writeFile(file, text)
  return spawnSync(process.execPath, [verifierPath, file, ...args], { encoding: 'utf8', env: {} })
}

test('a customer verifies an export offline against the chain head stored earlier', async () => {
  const storedHead = (await verifyLedgerAs(owner)).head
  const id = await placeSceneOrder(buyer.client, 'commercial', ['naip-va-17n'])
  await waitForOrder(buyer.client, id, 'FULFILLED')
  await waitForOrderTasks(app)
  const { valid, head, entries, faults } = await verifyLedgerAs(owner)
  assert.deepEqual([valid, faults, entries], [true, [], head.position])
  assert.ok(head.position > storedHead.position)
  for (const format of ['ndjson', 'csv'] as const) {
    const response = await owner.client.fetch('/v1/op/billing.ledger.export', {
      method: 'POST',
      body: JSON.stringify({ format }),
    })
    const type = { ndjson: 'application/x-ndjson', csv: 'text/csv' }[format]
    assert.equal(response.headers.get('content-type'), `${type}; charset=utf-8`)
    const text = await response.text()
    const intactResult = await runVerifier(`sound.${format}`, text, '--head', head.hash, '--contains', storedHead.hash)
    assert.equal(intactResult.status, 0, intactResult.stdout + intactResult.stderr)
    assert.match(intactResult.stdout, new RegExp(`Entries +${entries}, positions 1 to ${entries}\\n`))
    assert.match(intactResult.stdout, new RegExp(`Known hash +at position ${storedHead.position}\\n`))
    const tamperedResult = await runVerifier(
      `bent.${format}`,
      text.replace('orders.archive.place', 'orders.archive.plaze'),
    )
    assert.equal(tamperedResult.status, 1)
    assert.match(tamperedResult.stdout, /FAULT/)
  }
  const exportedLines: JournalExportLine[] = []
  for await (const line of owner.client.lines<JournalExportLine>('billing.ledger.export', {
    after: storedHead.position,
  }))
    exportedLines.push(line)
  assert.equal(exportedLines[0]?.previous_hash, storedHead.hash)
  assert.equal(exportedLines.at(-1)?.hash, head.hash)
})

test('billing.charge.explain returns the actor, lines, tax and entries of an order', async () => {
  const explanation = await owner.client.call<ChargeExplanation>('billing.charge.explain', { order_id: order.id })
  assert.deepEqual(
    [explanation.total_credits, explanation.settlement?.settled_credits],
    [order.totalCredits, order.creditsCaptured],
  )
  assert.equal(explanation.actor, buyer.user)
  assert.equal(explanation.operation, 'orders.archive.place')
  assert.deepEqual(
    explanation.lines.map((line) => line.settled_credits),
    explanation.lines.map((line) => line.amount_credits),
  )
  assert.equal(
    explanation.lines.reduce((sum, line) => sum + line.amount_credits, 0),
    order.totalCredits,
  )
  for (const line of explanation.lines) {
    assert.equal(line.unit, 'km2')
    assert.ok(line.charged_quantity >= line.measured_quantity && line.charged_quantity >= line.minimum_quantity)
    assert.equal(line.amount_credits, Math.ceil(line.charged_quantity * line.rate_credits))
    assert.match(line.priced_on, /^\d{4}-\d{2}-\d{2}$/)
  }
  assert.equal(explanation.gst_credits, Math.round(order.creditsCaptured / 11))
  assert.deepEqual(
    explanation.entries.map(({ kind }) => kind),
    ['hold', 'capture'],
  )
  const { transactions } = await owner.client.call<{ transactions: { id: string; reason: string }[] }>(
    'billing.credits.transactions',
    { reason: 'capture' },
  )
  const explainedByTransaction = await owner.client.call('billing.charge.explain', {
    transaction_id: transactions.at(-1)!.id,
  })
  assert.deepEqual(explainedByTransaction, explanation)
})

test('the spend of a member counts towards its limit, and the refusal states when credits free up', async () => {
  const { entries } = await verifyLedgerAs(owner)
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
  const captures = await findCaptures(buyer.client, 'commercial', ['naip-va-17n'])
  const response = await assertUnchanged(app, () =>
    buyer.client.fetch('/v1/op/orders.archive.place', { method: 'POST', body: JSON.stringify({ captures }) }),
  )
  const problem = (await response.json()) as Record<string, unknown>
  assert.equal(response.status, 403, JSON.stringify(problem))
  const { title, window_used, requested, frees_at } = problem
  assert.deepEqual(
    [title, problem['limit'], window_used, requested, frees_at],
    ['Spend limit exceeded', limit, window.window_used_credits, order.totalCredits, window.frees[0]!.at],
  )
  assert.equal((await verifyLedgerAs(owner)).entries, entries)
  // The owner has no limit: limits apply to one member.
  await waitForOrder(owner.client, await placeSceneOrder(owner.client, 'commercial', ['naip-va-17n']), 'FULFILLED')
  await waitForOrderTasks(app)
})

test('lots, balance and journal agree', async () => {
  const { lots } = await owner.client.call<{ lots: Lot[] }>('billing.lots.list', {})
  const { available, held } = await getWalletBalance(owner.client)
  assert.deepEqual(
    [lots.reduce((sum, lot) => sum + lot.available_credits, 0), lots.reduce((sum, lot) => sum + lot.held_credits, 0)],
    [available, held],
  )
  assert.equal((await verifyLedgerAs(owner)).valid, true)
  await assertLedgerConsistent(app)
})
