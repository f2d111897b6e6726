import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { JournalLine } from '@swath/contract/shapes/ledger.ts'
import { openHoldings } from '../../../test/holdings.ts'
import type { Call } from '../../engine/call.ts'
import { isAnswer } from '../../engine/answer.ts'
import { newId } from '../../platform/ids.ts'
import { chainStart, hashEntry } from '../ledger/chain.ts'
import { hold } from '../ledger/holds.ts'
import { grant, grantIn, withBooks } from '../ledger/ledger.ts'
import { exportLedger } from './billing.ledger.export.ts'
import { csvHeader } from './charges/journal-csv.ts'

let holdings: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  holdings = await openHoldings()
})
after(() => holdings?.close())

const reference = { type: 'order', id: newId() }
const line = Compile(JournalLine)

async function answerOf(call: Call, input: object) {
  const answer = await exportLedger.answer(call, { format: 'ndjson', after: 0, ...input } as never)
  assert.ok(isAnswer(answer))
  return answer
}

async function linesOf(call: Call, input: object = {}): Promise<JournalLine[]> {
  const answer = await answerOf(call, input)
  assert.ok(answer.form === 'ndjson')
  const found: JournalLine[] = []
  for await (const value of answer.lines) {
    assert.ok(line.Check(value), JSON.stringify([...line.Errors(value)]))
    found.push(value)
  }
  return found
}

async function textOf(call: Call, input: object = {}): Promise<string> {
  const answer = await answerOf(call, { format: 'csv', ...input })
  assert.ok(answer.form === 'text')
  assert.equal(answer.media_type, 'text/csv')
  let text = ''
  for await (const piece of answer.pieces) text += piece
  return text
}

async function wallet(entries: number) {
  const { owner } = await holdings.organize()
  await owner.transaction((tx) =>
    withBooks(tx, owner, (books) => {
      for (let count = 0; count < entries; count += 1) {
        grantIn(books, { kind: 'purchase', amount_credits: 1 + (count % 5), reference, note: `"${count}",\n` })
      }
    }),
  )
  return owner
}

test('exports the whole journal across pages as one hash chain', async () => {
  const owner = await wallet(1203)
  const lines = await linesOf(owner)
  assert.deepEqual(
    lines.map(({ position }) => position),
    Array.from({ length: 1203 }, (_, index) => index + 1),
  )
  let previous = chainStart
  for (const entry of lines) {
    assert.equal(entry.previous_hash, previous)
    assert.equal(entry.hash, hashEntry(previous, entry))
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
  const owner = await wallet(510)
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
  const owner = await wallet(3)
  const text = await textOf(owner)
  assert.ok(text.startsWith(csvHeader) && text.endsWith('\r\n'))
  assert.equal(text.match(/,1,wallet\.available,/g)?.length, 3)
  assert.equal(text.match(/,2,stripe\.clearing,,-\d\r\n/g)?.length, 3)
  assert.match(text, /,"""1"",\n",2026-/)
  const { owner: nobody } = await holdings.organize()
  assert.equal(await textOf(nobody), csvHeader)
  assert.deepEqual(await linesOf(nobody), [])
})

test('an export contains the entries at the time of the request, also with concurrent writes', async () => {
  const owner = await wallet(700)
  const answer = await answerOf(owner, {})
  assert.ok(answer.form === 'ndjson')
  let count = 0
  for await (const _ of answer.lines) {
    if (count % 100 === 0) {
      // No transaction is open while the reader is slow, so another transaction can commit.
      await owner.transaction((tx) => grant(tx, owner, { kind: 'purchase', amount_credits: 1, reference }))
    }
    count += 1
  }
  assert.equal(count, 700)
  assert.equal((await linesOf(owner)).length, 707)
})

test('an export contains no entries of another organization', async () => {
  const mine = await wallet(2)
  const theirs = await wallet(4)
  await theirs.transaction((tx) => hold(tx, theirs, { amount_credits: 2, reference }))
  const lines = await linesOf(mine)
  assert.equal(lines.length, 2)
  assert.ok(lines.every(({ organization_id }) => organization_id === mine.organization))
})
