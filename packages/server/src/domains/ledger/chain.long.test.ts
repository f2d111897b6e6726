import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import type { Database } from '../../platform/database/database.ts'
import { migrateSchema, migrationsDir } from '../../platform/database/migrate.ts'
import { getSchemaOwnerConnection } from '../../platform/database/raw.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { genesisHash } from '../../platform/crypto/hash-chain.ts'
import { hashJournalEntry } from './chain.ts'
import { readJournalPages } from './journal.ts'
import { verifyLedger } from './verify.ts'

/** Texts that JSON serializers may escape differently. */
const unusualTexts = [
  '',
  ' plain ',
  'She said "no", and \\ and / and \\u0041',
  'a\nb\r\nc\td\be\ff\vg',
  String.fromCharCode(...Array.from({ length: 31 }, (_, index) => index + 1)),
  '\u007f\u0080\u009f\u00a0\u00ad',
  '\u2028\u2029\ufeff\ufffd\uffff',
  'naïve e\u0301 ß İ ﬁ',
  '地図 🛰️ 👩‍🔬 \u{10ffff}',
  'שלום \u202eabc\u202c',
  '</script><!-- {"a":[null,1e3]} -->',
  "'; drop table journal_entries; --",
]

let database: Database
let folder: string
before(async () => {
  database = await openTestDatabase({ migrated: false })
  folder = await mkdtemp(join(tmpdir(), 'swath-before-'))
})
after(async () => {
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Migrates to the schema before the journal had a hash chain. */
async function migrateToVersionBeforeChain(): Promise<void> {
  for (const name of await readdir(migrationsDir)) {
    if (/^000[1-5]_/.test(name)) await cp(join(migrationsDir, name), join(folder, name))
  }
  assert.equal((await migrateSchema(database, folder)).length, 5)
}

async function insertEntry(
  organization: string,
  position: number,
  entry: { kind: string; amount: number; after: [number, number]; text: string; hold: string | null },
  postings: readonly [account: string, lot: string | null, amount: number][],
): Promise<void> {
  const owner = getSchemaOwnerConnection(database)
  const id = newId()
  // Microseconds, which the server's clock does not produce.
  const at = `2026-01-0${1 + (position % 9)}T10:00:00.12${position % 10}987Z`
  await owner.query(sql`
    insert into journal_entries
      (organization_id, id, position, kind, amount_credits, available_after_credits, held_after_credits, reference_type,
       reference_id, hold_id, actor_kind, actor_id, operation, request_id, note, created_at)
    values (${organization}, ${id}, ${position}, ${entry.kind}, ${entry.amount}, ${entry.after[0]}, ${entry.after[1]}, 'order',
            ${entry.text}, ${entry.hold}, 'human', ${entry.text}, 'test', ${entry.text},
            ${position % 3 === 0 ? null : entry.text}, ${at}::timestamptz)`)
  for (const [index, [account, lot, amount]] of postings.entries()) {
    await owner.query(sql`
      insert into journal_postings (organization_id, entry_id, line, account, lot_id, amount_credits)
      values (${organization}, ${id}, ${index + 1}, ${account}, ${lot}, ${amount})`)
  }
}

/** A wallet in the old schema: one lot and a hold for every unusual text, the first of them still open. */
async function writeHistory(organization: string): Promise<void> {
  const owner = getSchemaOwnerConnection(database)
  const lot = newId()
  const held_credits = 10
  const granted = 1000 + held_credits
  await owner.query(sql`
    insert into credit_lots (organization_id, id, kind, priority, granted_credits, available_credits, held_credits,
                             captured_credits, created_at)
    values (${organization}, ${lot}, 'purchase', 50, ${granted}, ${granted - held_credits * unusualTexts.length}, ${held_credits},
            ${held_credits * (unusualTexts.length - 1)}, '2026-01-01T00:00:00Z')`)
  await insertEntry(
    organization,
    1,
    { kind: 'purchase', amount: granted, after: [granted, 0], text: 'x', hold: null },
    [
      ['wallet.available', lot, granted],
      ['stripe.clearing', null, -granted],
    ],
  )
  let position = 1
  let available = granted
  for (const [index, text] of unusualTexts.entries()) {
    const hold = newId()
    const otherHeldCredits = index === 0 ? 0 : held_credits
    available -= held_credits
    await owner.query(sql`
      insert into credit_holds (organization_id, id, amount_credits, reference_type, reference_id, created_at)
      values (${organization}, ${hold}, ${held_credits}, 'order', ${text}, '2026-01-02T00:00:00Z')`)
    const holdEntry = {
      kind: 'hold',
      amount: -held_credits,
      after: [available, held_credits + otherHeldCredits] as [number, number],
      text,
      hold,
    }
    await insertEntry(organization, (position += 1), holdEntry, [
      ['wallet.available', lot, -held_credits],
      ['wallet.held', lot, held_credits],
    ])
    if (index === 0) continue
    await owner.query(sql`
      insert into credit_hold_resolutions (organization_id, hold_id, outcome, settled_credits, released_credits, created_at)
      values (${organization}, ${hold}, 'settled', ${held_credits}, 0, '2026-01-03T00:00:00Z')`)
    const captureEntry = {
      kind: 'capture',
      amount: -held_credits,
      after: [available, held_credits] as [number, number],
      text,
      hold,
    }
    await insertEntry(organization, (position += 1), captureEntry, [
      ['wallet.held', lot, -held_credits],
      ['revenue', lot, held_credits],
    ])
  }
  await owner.query(sql`
    insert into ledger_accounts (organization_id, name, balance_credits)
    values (${organization}, 'wallet.available', ${available}), (${organization}, 'wallet.held', ${held_credits}),
           (${organization}, 'stripe.clearing', ${-granted}), (${organization}, 'revenue', ${held_credits * (unusualTexts.length - 1)})`)
}

test('the migration adds entries from before the hash chain to it, whatever text they contain', async () => {
  await migrateToVersionBeforeChain()
  const organizations = [newId(), newId()]
  for (const organization of organizations) await writeHistory(organization)
  await migrateSchema(database, migrationsDir)
  for (const organization of organizations) {
    const verification = await verifyLedger(database.forOrganization(organization), organization)
    assert.deepEqual(verification.faults, [])
    assert.equal(verification.entries, 2 * unusualTexts.length)
    const [head] = await database.unscoped.query(sql`
      select position, hash from ledger_heads where organization_id = ${organization}`)
    assert.deepEqual(head, verification.head)
    let previous = genesisHash
    for await (const page of readJournalPages(database.forOrganization(organization), organization, {
      after: 0,
      until: 1000,
    })) {
      for (const entry of page) {
        assert.equal(entry.hash, hashJournalEntry(previous, entry), entry.reference_id)
        previous = entry.hash
      }
    }
    assert.equal(previous, verification.head.hash)
  }
})
