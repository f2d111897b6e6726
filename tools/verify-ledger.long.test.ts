import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { journalCsvHeader, toJournalCsvRows } from '../packages/server/src/domains/billing/charges/journal-csv.ts'
import {
  hashJournalEntry,
  type HashedJournalEntry,
  type HashedPosting,
} from '../packages/server/src/domains/ledger/chain.ts'
import type { ExportedJournalEntry } from '../packages/server/src/domains/ledger/journal.ts'
import { genesisHash } from '../packages/server/src/platform/crypto/hash-chain.ts'
import { verifyExport } from './verify-ledger.mjs'

const organization_id = '01890a5d-ac96-774b-bcce-b302099a8057'
const idOf = (number: number): string => `01890a5d-0000-7000-8000-${String(number).padStart(12, '0')}`

/** A note with characters that a careless parser mishandles. */
const difficultNote = 'She said "no, never",\r\nthen left\n— naïve 🛰 \u0007\u2028 end'

interface JournalCase extends Partial<HashedJournalEntry> {
  readonly transfer: readonly [from: string, to: string, amount: number]
}

const journalCases: readonly JournalCase[] = [
  { kind: 'purchase', transfer: ['stripe.clearing', 'wallet.available', 500], note: difficultNote },
  { kind: 'hold', transfer: ['wallet.available', 'wallet.held', 120], note: '', idempotency_key: '=1+1' },
  { kind: 'capture', transfer: ['wallet.held', 'revenue', 120], note: "'quoted", request_id: '-x', hold_id: idOf(99) },
  { kind: 'adjust', transfer: ['wallet.available', 'promo.expense', 7], note: ' spaces ', actor_id: '@someone' },
]

/** A valid journal as the platform exports it. */
function createJournal(entries: readonly JournalCase[]): ExportedJournalEntry[] {
  const balances = new Map<string, number>()
  const add = (account: string, amount: number): number => {
    balances.set(account, (balances.get(account) ?? 0) + amount)
    return amount
  }
  let previous_hash = genesisHash
  return entries.map(({ transfer: [from, to, amount], ...overrides }, index) => {
    const lot_id = idOf(50)
    const postings: HashedPosting[] = [
      { account: from, lot_id: from === 'stripe.clearing' ? null : lot_id, amount_credits: add(from, -amount) },
      { account: to, lot_id, amount_credits: add(to, amount) },
    ]
    const entry: HashedJournalEntry = {
      organization_id,
      position: index + 1,
      id: idOf(index + 1),
      kind: 'adjust',
      amount_credits: amount,
      available_after_credits: balances.get('wallet.available') ?? 0,
      held_after_credits: balances.get('wallet.held') ?? 0,
      reference_type: 'order',
      reference_id: idOf(70 + index),
      hold_id: null,
      actor_kind: 'human',
      actor_id: idOf(80),
      operation: 'orders.archive.place',
      request_id: idOf(90),
      idempotency_key: null,
      note: null,
      created_at: '2026-03-01T12:00:00.007Z',
      ...overrides,
      postings,
    }
    const line = { ...entry, hash: hashJournalEntry(previous_hash, entry), previous_hash }
    previous_hash = line.hash
    return line
  })
}

const formats = {
  ndjson: (lines: readonly ExportedJournalEntry[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  csv: (lines: readonly ExportedJournalEntry[]): string => journalCsvHeader + lines.map(toJournalCsvRows).join(''),
}
const journal = createJournal(journalCases)
const head = journal.at(-1)!.hash

const verify = (text: string | Uint8Array, options = {}) => verifyExport([Buffer.from(text as string)], options)

for (const [format, write] of Object.entries(formats)) {
  test(`${format}: a valid export is valid, in one chunk or byte by byte`, async () => {
    const bytes = Buffer.from(write(journal))
    const result = await verify(bytes, { head, contains: journal[1]!.hash })
    assert.deepEqual(result.faults, [])
    assert.deepEqual([result.valid, result.entries, result.kept], [true, 4, 2])
    assert.deepEqual(result.head, { position: 4, hash: head })
    assert.deepEqual(Object.fromEntries(result.accounts), {
      'stripe.clearing': -500,
      'wallet.available': 373,
      'wallet.held': 0,
      revenue: 120,
      'promo.expense': 7,
    })
    const byteByByte = await verifyExport([...bytes].map((byte) => Uint8Array.of(byte)))
    assert.deepEqual([byteByByte.faults, byteByByte.entries], [[], 4])
  })

  test(`${format}: any changed or removed byte is reported`, async () => {
    const bytes = Buffer.from(write(journal.slice(0, 3)))
    const undetected: string[] = []
    for (const [index, byte] of bytes.entries()) {
      const around = bytes.subarray(Math.max(0, index - 10), index + 10).toString()
      for (const other of [byte ^ 1, 0x78].filter((other) => other !== byte)) {
        const changed = Buffer.from(bytes)
        changed[index] = other
        if ((await verify(changed)).valid) undetected.push(`${other} at ${index}: ${around}`)
      }
      // CRLF may become LF at the end of a row, but not within a text.
      const endsLine = byte === 0x0d && /\r\n([0-9a-f]{8}-|$)/.test(bytes.subarray(index, index + 12).toString())
      if (endsLine || index === bytes.length - 1) continue
      const shorter = Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + 1)])
      if ((await verify(shorter)).valid) undetected.push(`without ${index}: ${around}`)
    }
    assert.deepEqual(undetected, [])
  })

  test(`${format}: a missing, moved, duplicated or inserted entry is reported`, async () => {
    for (const index of journal.keys()) {
      const without = journal.filter((_, other) => other !== index)
      // Without the last entry the rest is valid, too: only the head reveals it.
      assert.equal((await verify(write(without), { head })).valid, false, String(index))
      if (index > 0) {
        const swapped = journal.with(index - 1, journal[index]!).with(index, journal[index - 1]!)
        assert.equal((await verify(write(swapped))).valid, false)
        assert.equal((await verify(write(journal.toSpliced(index, 0, journal[index - 1]!)))).valid, false)
      }
    }
  })

  test(`${format}: an appended entry needs the right hash, and differs from the expected head`, async () => {
    const more = createJournal([...journalCases, { transfer: ['wallet.available', 'promo.expense', 1] }])
    const wrong = [...journal, { ...more[4]!, hash: 'a'.repeat(64) }]
    assert.equal((await verify(write(wrong))).valid, false)
    assert.equal((await verify(write(more), { contains: head })).valid, true)
    assert.deepEqual((await verify(write(more), { head })).faults, [`it does not end with the hash ${head}`])
  })

  test(`${format}: a changed posting is reported, and a rewritten journal by its hashes`, async () => {
    const [first, ...rest] = journal
    const moved = first!.postings.map((posting) => ({ ...posting, amount_credits: posting.amount_credits * 2 }))
    const renamed = first!.postings.map((posting) => ({
      ...posting,
      account: posting.account.replace('stripe', 'promo'),
    }))
    for (const postings of [moved, renamed, first!.postings.slice(0, 1), first!.postings.toReversed()]) {
      assert.equal((await verify(write([{ ...first!, postings }, ...rest]))).valid, false)
    }
    const rewritten = createJournal(
      journalCases.with(3, { ...journalCases[3]!, transfer: ['wallet.available', 'promo.expense', 8] }),
    )
    assert.equal((await verify(write(rewritten))).valid, true, 'a journal with recomputed hashes is consistent')
    assert.equal(
      (await verify(write(rewritten), { contains: head })).valid,
      false,
      'but does not contain the stored hash',
    )
    assert.equal((await verify(write(rewritten), { contains: journal[2]!.hash })).valid, true)
  })

  test(`${format}: a partial export is verified from its first entry with --part or --contains`, async () => {
    assert.match(
      (await verify(write(journal.slice(2)))).faults.join(),
      /^it begins at position 3, and nothing confirms/,
    )
    const result = await verify(write(journal.slice(2)), { head, part: true })
    assert.deepEqual([result.faults, result.first?.position, result.entries], [[], 3, 2])
    const joined = await verify(write(journal.slice(2)), { contains: journal[1]!.hash })
    assert.deepEqual([joined.faults, joined.kept], [[], 2], 'it continues an earlier export')
    const apart = await verify(write(journal.slice(2)), { contains: journal[2]!.hash })
    assert.equal(apart.faults.length, 1, 'a later hash does not confirm earlier entries')
    const nothing = await verify(write([]))
    assert.deepEqual([nothing.valid, nothing.entries], [true, 0])
  })

  test(`${format}: an entry of another organization and one whose postings do not sum to zero are reported`, async () => {
    const other = journal.with(2, { ...journal[2]!, organization_id: idOf(1) })
    assert.match((await verify(write(other))).faults.join(), /position 3: it belongs to another organization/)
    const [from, to] = journal[3]!.postings
    const entry = { ...journal[3]!, postings: [from!, { ...to!, amount_credits: 6 }] }
    const uneven = journal.with(3, { ...entry, hash: hashJournalEntry(entry.previous_hash, entry) })
    assert.deepEqual((await verify(write(uneven))).faults, ['position 4: its postings sum to -1'])
  })
}

test('ndjson: a duplicate member and lines that are not entries are reported', async () => {
  const [line] = formats.ndjson(journal.slice(0, 1)).split('\n') as [string]
  const twice = line.replace('"note":', '"note":"nothing to see","note":')
  assert.equal((await verify(`${twice}\n`)).valid, false)
  const listed = line.replace(/"hash":("\w+")/, '"hash":[$1]')
  for (const text of ['{}', '{"a":', `${line}\n\n`, listed, `${line}\nnull`, `${line}\n[]`]) {
    assert.equal((await verify(text)).valid, false, text.slice(-40))
  }
})

test('csv: null differs from an empty text, and an unclosed quote is reported', async () => {
  const text = formats.csv(journal)
  assert.match(text, /,"She said ""no, never"",\r\nthen left\n/)
  assert.match(text, /,'=1\+1,"",/)
  assert.match(text, /,''quoted,/)
  assert.equal((await verify(text.replace(`'=1+1,"",`, `'=1+1,,`))).valid, false)
  assert.match((await verify(text.slice(0, text.indexOf('then left')))).faults.join(), /ends within a cell/)
})

const folder = mkdtempSync(join(tmpdir(), 'swath-verify-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('the program prints its result and exits with 0, 1 or 2', () => {
  const run = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'verify-ledger.mjs'), ...args], { input, encoding: 'utf8' })
  const file = join(folder, 'ledger.csv')
  writeFileSync(file, formats.csv(journal))
  const validRun = run([file, '--head', head])
  assert.match(validRun.stdout, /Entries +4, positions 1 to 4\n/)
  assert.match(validRun.stdout, /wallet\.available +373\n/)
  assert.match(validRun.stdout, /Valid\.\n$/)
  assert.deepEqual([validRun.status, validRun.stderr], [0, ''])
  const short = run(['--head', head], formats.ndjson(journal.slice(0, 3)))
  assert.match(short.stdout, /FAULT {2}it does not end with the hash/)
  assert.equal(short.status, 1)
  assert.equal(run([], formats.ndjson(journal)).status, 0)
  for (const args of [[join(folder, 'nowhere')], ['--head', 'abc'], ['--nonsense'], [file, file]]) {
    const { status, stdout, stderr } = run(args)
    assert.deepEqual([status, stdout], [2, ''], args.join(' '))
    assert.ok(stderr.length > 0 && !stderr.includes('    at '))
  }
})
