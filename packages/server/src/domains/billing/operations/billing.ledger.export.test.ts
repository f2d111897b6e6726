import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { JournalExportLine } from '@swath/contract/schemas/ledger.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import type { Call } from '../../../engine/call.ts'
import { isOperationResponse } from '../../../engine/operation-response.ts'
import { newId } from '../../../platform/ids.ts'
import { genesisHash } from '../../../platform/crypto/hash-chain.ts'
import { hashJournalEntry } from '../../ledger/chain.ts'
import { placeCreditHold } from '../../ledger/holds.ts'
import { grantCredits, addCreditGrant, withLedgerSession } from '../../ledger/ledger.ts'
import { handler } from './billing.ledger.export.ts'
import { journalCsvHeader } from '../charges/journal-csv.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

const reference = { type: 'order', id: newId() }
const line = Compile(JournalExportLine)

async function exportOf(call: Call, input: object) {
  const answer = await handler.handle(call, { format: 'ndjson', after: 0, ...input } as never)
  assert.ok(isOperationResponse(answer))
  return answer
}

async function linesOf(call: Call, input: object = {}): Promise<JournalExportLine[]> {
  const answer = await exportOf(call, input)
  assert.ok(answer.kind === 'ndjson')
  const lines: JournalExportLine[] = []
  for await (const value of answer.values) {
    assert.ok(line.Check(value), JSON.stringify([...line.Errors(value)]))
    lines.push(value)
  }
  return lines
}

async function textOf(call: Call, input: object = {}): Promise<string> {
  const answer = await exportOf(call, { format: 'csv', ...input })
  assert.ok(answer.kind === 'text')
  assert.equal(answer.media_type, 'text/csv')
  let text = ''
  for await (const piece of answer.chunks) text += piece
  return text
}

async function createWallet(entries: number) {
  const { owner } = await holdings.createOrganization()
  await owner.transaction((tx) =>
    withLedgerSession(tx, owner, (ledger) => {
      for (let count = 0; count < entries; count += 1) {
        addCreditGrant(ledger, { kind: 'purchase', amount_credits: 1 + (count % 5), reference, note: `"${count}",\n` })
      }
    }),
  )
  return owner
}

test('exports the whole journal across pages as one hash chain', async () => {
  const owner = await createWallet(1203)
  const lines = await linesOf(owner)
  assert.deepEqual(
    lines.map(({ position }) => position),
    Array.from({ length: 1203 }, (_, index) => index + 1),
  )
  let previous = genesisHash
  for (const entry of lines) {
    assert.equal(entry.previous_hash, previous)
    assert.equal(entry.hash, hashJournalEntry(previous, entry))
    previous = entry.hash
  }
  assert.deepEqual(
    lines[7]!.postings.map(({ account, amount_credits }) => [account, amount_credits]),
    [
      ['wallet.available', 3],
      ['stripe.clearing', -3],
    ],
  )
})

test('an export from any position continues the chain of the earlier entries', async () => {
  const owner = await createWallet(510)
  const all = await linesOf(owner)
  for (const [after, limit] of [
    [0, 1],
    [0, 500],
    [499, 3],
    [500, 100],
    [509, 5],
    [7, null],
  ] as const) {
    const part = await linesOf(owner, { after, limit })
    assert.deepEqual(part, all.slice(after, limit === null ? undefined : after + limit), `${after}, ${limit}`)
  }
  for (const after of [510, 511, Number.MAX_SAFE_INTEGER]) assert.deepEqual(await linesOf(owner, { after }), [])
})

test('the CSV export has a row per posting, and only a header for an empty journal', async () => {
  const owner = await createWallet(3)
  const text = await textOf(owner)
  assert.ok(text.startsWith(journalCsvHeader) && text.endsWith('\r\n'))
  assert.equal(text.match(/,1,wallet\.available,/g)?.length, 3)
  assert.equal(text.match(/,2,stripe\.clearing,,-\d\r\n/g)?.length, 3)
  assert.match(text, /,"""1"",\n",2026-/)
  const { owner: emptyOrganization } = await holdings.createOrganization()
  assert.equal(await textOf(emptyOrganization), journalCsvHeader)
  assert.deepEqual(await linesOf(emptyOrganization), [])
})

test('an export contains the entries at the time of the request, also with concurrent writes', async () => {
  const owner = await createWallet(700)
  const answer = await exportOf(owner, {})
  assert.ok(answer.kind === 'ndjson')
  let count = 0
  for await (const _ of answer.values) {
    if (count % 100 === 0) {
      // No transaction is open while the reader is slow, so another transaction can commit.
      await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits: 1, reference }))
    }
    count += 1
  }
  assert.equal(count, 700)
  assert.equal((await linesOf(owner)).length, 707)
})

test('an export contains no entries of another organization', async () => {
  const mine = await createWallet(2)
  const theirs = await createWallet(4)
  await theirs.transaction((tx) => placeCreditHold(tx, theirs, { amount_credits: 2, reference }))
  const lines = await linesOf(mine)
  assert.equal(lines.length, 2)
  assert.ok(lines.every(({ organization_id }) => organization_id === mine.organization))
})
