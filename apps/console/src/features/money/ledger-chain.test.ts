import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JournalExportLine } from '@swath/client/operations.ts'
import { computeEntryHash, emptyChain, verifyChain, type ReadEntries } from './ledger-chain.ts'

const createEntry = (position: number): JournalExportLine => ({
  organization_id: 'org',
  position,
  id: `entry-${position}`,
  kind: 'purchase',
  amount_credits: 10,
  available_after_credits: 10 * position,
  held_after_credits: 0,
  reference_type: 'topup',
  reference_id: `topup-${position}`,
  hold_id: null,
  actor_kind: 'human',
  actor_id: 'person',
  operation: 'billing.topup',
  request_id: `request-${position}`,
  idempotency_key: null,
  note: 'Größe',
  created_at: '2026-05-12T14:03:00.000Z',
  postings: [
    { lot_id: 'lot', account: 'wallet.available', amount_credits: 10 },
    { lot_id: null, account: 'stripe.clearing', amount_credits: -10 },
  ],
  previous_hash: '',
  hash: '',
})

async function createJournal(length: number): Promise<JournalExportLine[]> {
  const journal: JournalExportLine[] = []
  let previous_hash = emptyChain.hash
  for (let position = 1; position <= length; position++) {
    const entry = { ...createEntry(position), previous_hash }
    previous_hash = await computeEntryHash(previous_hash, entry)
    journal.push({ ...entry, hash: previous_hash })
  }
  return journal
}

/** Reads as the operation does: entries after a position. */
const readFrom = (journal: readonly JournalExportLine[]): ReadEntries =>
  async function* (after, limit) {
    yield* journal.filter(({ position }) => position > after).slice(0, limit)
  }

const verify = (journal: readonly JournalExportLine[]) => verifyChain(readFrom(journal), () => undefined, 2)

const withEntry = (journal: readonly JournalExportLine[], at: number, change: Partial<JournalExportLine>) =>
  journal.map((entry, index) => (index === at ? { ...entry, ...change } : entry))

test('a whole journal is verified up to its last hash, page by page', async () => {
  for (const length of [0, 1, 4, 5]) {
    const journal = await createJournal(length)
    const counts: number[] = []
    const { chain, fault } = await verifyChain(readFrom(journal), (entries) => counts.push(entries), 2)
    assert.equal(fault, null)
    assert.equal(chain.entries, length)
    assert.equal(chain.hash, journal.at(-1)?.hash ?? emptyChain.hash)
    assert.equal(counts.at(-1), length)
  }
})

test('a changed entry is found where it stands', async () => {
  const journal = await createJournal(5)
  const { chain, fault } = await verify(withEntry(journal, 2, { note: 'another note' }))
  assert.deepEqual(fault, { position: 3, entryId: 'entry-3', kind: 'hash' })
  assert.equal(chain.hash, journal[1]!.hash)
})

test('a changed entry with a recomputed hash breaks the chain at the next entry', async () => {
  const journal = await createJournal(5)
  const changed = { ...journal[2]!, note: 'another note' }
  const hash = await computeEntryHash(changed.previous_hash, changed)
  const { fault } = await verify(withEntry(journal, 2, { note: changed.note, hash }))
  assert.deepEqual(fault, { position: 4, entryId: 'entry-4', kind: 'previous-hash' })
})

test('a removed entry is a gap', async () => {
  const journal = await createJournal(5)
  const { fault } = await verify(journal.filter(({ position }) => position !== 2))
  assert.deepEqual(fault, { position: 3, entryId: 'entry-3', kind: 'gap' })
})

test('a wrong balance and postings that do not sum to zero are found though their hashes hold', async () => {
  const [entry] = await createJournal(1)
  const rehash = async (change: Partial<JournalExportLine>): Promise<JournalExportLine> => {
    const changed = { ...entry!, ...change }
    return { ...changed, hash: await computeEntryHash(changed.previous_hash, changed) }
  }
  assert.equal((await verify([await rehash({ available_after_credits: 20 })])).fault?.kind, 'balance')
  const [first] = entry!.postings
  assert.equal((await verify([await rehash({ postings: [first!, first!] })])).fault?.kind, 'postings')
})
