// verify-ledger.mjs [FILE] [--head HASH] [--contains HASH] [--part]
//
// Checks an export of the journal (operation billing.ledger.export, NDJSON or CSV; from the standard input without FILE)
// offline: it needs Node and this file only. docs/notes/verify-ledger.md describes its use and the format of the export.
//
// For every entry: positions have no gaps, postings are integer credits that sum to zero, the stated balances follow from
// the postings, and the hash is the SHA-256 of the previous hash and the members of the entry.
//
//   --head HASH       the export must end with this hash, as returned by billing.ledger.verify
//   --contains HASH   this hash of an earlier export must be in the chain: nothing up to it was changed
//   --part            the export may begin after the first entry; its statements about earlier entries are trusted;
//                     not needed if it begins directly after the hash of --contains
//
// Exit code 0: valid. 1: at least one violation. 2: the export could not be read.
import { createHash } from 'node:crypto'
import { createReadStream, realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const zeroHash = '0'.repeat(64)
const max_faults = 100
const max_row_length = 10_000_000

/** The hashed members of an entry, in this order; the postings follow as `[account, lot_id, amount]`. */
const members = [
  'organization_id',
  'position',
  'id',
  'kind',
  'amount_credits',
  'available_after_credits',
  'held_after_credits',
  'reference_type',
  'reference_id',
  'hold_id',
  'actor_kind',
  'actor_id',
  'operation',
  'request_id',
  'idempotency_key',
  'note',
  'created_at',
]
const numbers = new Set([
  'position',
  'amount_credits',
  'available_after_credits',
  'held_after_credits',
  'line',
  'posting_credits',
])
const hashColumns = ['previous_hash', 'hash']
const postingMembers = ['account', 'lot_id', 'amount_credits']
const entryColumns = [...members, ...hashColumns]
const columns = [...entryColumns, 'line', 'account', 'lot_id', 'posting_credits']

/** The hash that an entry must have after the previous one. */
export function computeEntryHash(previous, entry) {
  const postings = entry.postings.map((posting) => postingMembers.map((name) => posting[name]))
  const text = JSON.stringify([...members.map((name) => entry[name]), postings])
  return createHash('sha256').update(previous).update(text).digest('hex')
}

const isHash = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/** The export cannot be parsed; everything after it would be a guess. */
class UnreadableExport extends Error {}

// --- reading ---------------------------------------------------------------------------------------------------------

async function* decodeChunks(chunks) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (...args) => {
    try {
      return decoder.decode(...args)
    } catch {
      throw new UnreadableExport('the text is not UTF-8')
    }
  }
  for await (const chunk of chunks) yield decode(chunk, { stream: true })
  yield decode()
}

async function* splitLines(texts) {
  let rest = ''
  for await (const text of texts) {
    const parts = (rest + text).split('\n')
    rest = parts.pop()
    yield* parts
  }
  if (rest !== '') yield rest
}

/** Parses a line, which must have exactly the members of an entry. */
function parseEntryLine(line) {
  let entry
  try {
    entry = JSON.parse(line)
  } catch {
    throw new UnreadableExport('a line is not JSON')
  }
  requireMembers(entry, [...entryColumns, 'postings'])
  if (!Array.isArray(entry.postings)) throw new UnreadableExport('the postings are not an array')
  for (const posting of entry.postings) requireMembers(posting, postingMembers)
  // Another parser might use the other value of a duplicate member.
  if (JSON.stringify(entry) !== line) throw new UnreadableExport('a line is not in the exported form')
  return requireHashes(entry)
}

function requireMembers(value, names) {
  const present = new Set(typeof value === 'object' && value !== null ? Object.keys(value) : [])
  for (const name of names) if (!present.delete(name)) throw new UnreadableExport(`${name} is missing`)
  for (const name of present) throw new UnreadableExport(`${name} is not an expected member`)
}

function requireHashes(entry) {
  for (const name of hashColumns) if (!isHash(entry[name])) throw new UnreadableExport(`${name} is not a hash`)
  return entry
}

async function* readNdjsonEntries(texts) {
  for await (const line of splitLines(texts)) yield parseEntryLine(line)
}

/** Rows of a CSV file (RFC 4180): lines are joined until all quotes are closed. */
async function* readCsvRows(texts) {
  let row = ''
  for await (const line of splitLines(texts)) {
    row += line
    if (row.length > max_row_length) throw new UnreadableExport('a row has no end')
    if ((row.split('"').length - 1) % 2 === 0) {
      yield parseCells(row.replace(/\r$/, ''))
      row = ''
    } else row += '\n'
  }
  if (row !== '') throw new UnreadableExport('the file ends within a cell')
}

/** The cells of a row, each with a flag whether it was quoted. */
function parseCells(row) {
  const cells = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y
  for (let extraFiles = true; extraFiles;) {
    const match = cell.exec(row)
    if (!match) throw new UnreadableExport(`a cell contains an unescaped quote: ${row.slice(0, 200)}`)
    const [, quoted, plain, end] = match
    cells.push({ text: quoted === undefined ? plain : quoted.replaceAll('""', '"'), quoted: quoted !== undefined })
    extraFiles = end === ','
  }
  return cells
}

/** An empty cell is null, `""` an empty text; a leading apostrophe prevents that a text is evaluated as a formula. */
function parseValue(column, { text, quoted }) {
  if (numbers.has(column)) {
    if (!quoted && /^(0|-?[1-9]\d*)$/.test(text)) return Number(text)
    throw new UnreadableExport(`${column} is not an integer: "${text}"`)
  }
  if (text === '') return quoted ? '' : null
  if (/^'[=+\-@'\t\r\n]/.test(text)) return text.slice(1)
  if (/^[=+\-@'\t\r\n]/.test(text)) throw new UnreadableExport(`${column} has a wrong number of apostrophes`)
  return text
}

/** Consecutive rows with the same entry columns, one per posting, form an entry. */
async function* readCsvEntries(texts) {
  const rows = readCsvRows(texts)
  const { value: header = [] } = await rows.next()
  if (header.map(({ text }) => text).join() !== columns.join())
    throw new UnreadableExport(`the columns are not ${columns}`)
  let entry = null
  let entryKey = ''
  for await (const cells of rows) {
    if (cells.length !== columns.length) throw new UnreadableExport(`a row has ${cells.length} cells`)
    const row = Object.fromEntries(columns.map((column, index) => [column, parseValue(column, cells[index])]))
    const rowKey = JSON.stringify(entryColumns.map((column) => row[column]))
    if (row.line === 1) {
      if (entry) yield entry
      entry = { ...requireHashes(row), postings: [] }
      entryKey = rowKey
    } else if (rowKey !== entryKey || row.line !== entry.postings.length + 1) {
      throw new UnreadableExport(`line ${row.line} of position ${row.position} does not follow the rows of its entry`)
    }
    entry.postings.push({ account: row.account, lot_id: row.lot_id, amount_credits: row.posting_credits })
  }
  if (entry) yield entry
}

/** Detects the format by the first character. */
async function* readEntries(chunks) {
  const texts = decodeChunks(chunks)
  let start = ''
  while (start === '') {
    const { value, done } = await texts.next()
    if (done) break
    start = value
  }
  const whole = (async function* () {
    yield start
    yield* texts
  })()
  yield* start === '' || start.startsWith('{') ? readNdjsonEntries(whole) : readCsvEntries(whole)
}

// --- verifying -------------------------------------------------------------------------------------------------------

const sumPostings = (entry, account) =>
  entry.postings.reduce(
    (sum, posting) => sum + (account === undefined || posting.account === account ? posting.amount_credits : 0),
    0,
  )

/** The state before the first entry; for a partial export derived from its first entry. */
function initialState(entry) {
  const whole = entry.position === 1
  const before = (account, after) => (whole ? 0 : after - sumPostings(entry, account))
  return {
    organization_id: entry.organization_id,
    position: whole ? 0 : entry.position - 1,
    hash: whole ? zeroHash : entry.previous_hash,
    available: before('wallet.available', entry.available_after_credits),
    held: before('wallet.held', entry.held_after_credits),
  }
}

/** `[isValid, message]` of each rule for an entry after the previous one. */
function checkEntry(entry, before) {
  const available = before.available + sumPostings(entry, 'wallet.available')
  const held = before.held + sumPostings(entry, 'wallet.held')
  const amounts = entry.postings.map((posting) => posting.amount_credits)
  return [
    [entry.organization_id === before.organization_id, 'it belongs to another organization'],
    [entry.position === before.position + 1, `it follows position ${before.position}`],
    [entry.previous_hash === before.hash, 'previous_hash is not the hash of the previous entry'],
    [amounts.length > 1, 'it has fewer than two postings'],
    [amounts.every((amount) => Number.isSafeInteger(amount) && amount !== 0), 'its postings are not integer credits'],
    [sumPostings(entry) === 0, `its postings sum to ${sumPostings(entry)}`],
    [
      entry.available_after_credits === available,
      `${available} credits are available after it, not ${entry.available_after_credits}`,
    ],
    [entry.held_after_credits === held, `${held} credits are held after it, not ${entry.held_after_credits}`],
    [entry.hash === computeEntryHash(before.hash, entry), 'its hash does not match its content'],
  ]
}

/**
 * @typedef {object} Found
 * @property {boolean} valid
 * @property {string | null} organization_id
 * @property {number} entries
 * @property {{ position: number, previous_hash: string } | null} first
 * @property {{ position: number, hash: string } | null} head
 * @property {number | null} kept the position of the hash given as `contains`
 * @property {Map<string, number>} accounts sum of the postings by account
 * @property {string[]} faults
 */

/** @returns {Found} */
const createResult = () => ({
  valid: false,
  organization_id: null,
  entries: 0,
  first: null,
  head: null,
  kept: null,
  accounts: new Map(),
  faults: [],
})

function countEntry(result, entry, expected) {
  for (const { account, amount_credits: amount } of entry.postings) {
    result.accounts.set(account, (result.accounts.get(account) ?? 0) + amount)
  }
  if (entry.hash === expected.contains) result.kept = entry.position
  if (result.first === null && entry.previous_hash === expected.contains) result.kept = entry.position - 1
  result.organization_id ??= entry.organization_id
  result.first ??= { position: entry.position, previous_hash: entry.previous_hash }
  result.head = { position: entry.position, hash: entry.hash }
  result.entries += 1
}

async function checkEntries(result, entries, expected) {
  let before = null
  for await (const entry of entries) {
    before ??= initialState(entry)
    for (const [holds, text] of checkEntry(entry, before)) {
      if (!holds) result.faults.push(`position ${entry.position}: ${text}`)
    }
    const { position, hash, available_after_credits: available, held_after_credits: held } = entry
    before = { organization_id: before.organization_id, position, hash, available, held }
    countEntry(result, entry, expected)
  }
}

/**
 * Reads a whole export and returns the result. `head` is the expected last hash, `contains` a hash that must be in the chain;
 * `part` allows an export that begins in the middle.
 *
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} chunks
 * @param {{ head?: string, contains?: string, part?: boolean }} [wanted]
 */
export async function verifyExport(chunks, expected = {}) {
  const result = createResult()
  const { faults } = result
  try {
    await checkEntries(result, readEntries(chunks), expected)
  } catch (error) {
    if (!(error instanceof UnreadableExport)) throw error
    faults.push(`after position ${result.head?.position ?? 0}: ${error.message}`)
  }
  if (expected.head && (result.head?.hash ?? zeroHash) !== expected.head)
    faults.push(`it does not end with the hash ${expected.head}`)
  const { first, kept } = result
  if (first && first.position !== 1 && kept !== first.position - 1 && !expected.part) {
    faults.push(`it begins at position ${first.position}, and nothing confirms the entries before it`)
  }
  if (expected.contains && kept === null) faults.push(`the hash ${expected.contains} is not in it`)
  result.valid = faults.length === 0
  return result
}

// --- output ----------------------------------------------------------------------------------------------------------

function printResult(result) {
  const { organization_id, entries, first, head, accounts, faults, kept } = result
  console.log(`Organization  ${organization_id ?? 'unknown'}`)
  console.log(`Entries       ${entries}${first ? `, positions ${first.position} to ${head.position}` : ''}`)
  if (head) console.log(`Head          ${head.hash}`)
  if (kept !== null) console.log(`Known hash    at position ${kept}`)
  if (first && first.position !== 1) console.log(`Begins after  ${first.previous_hash}`)
  for (const [account, credits] of [...accounts].sort())
    console.log(`  ${account.padEnd(20)} ${String(credits).padStart(16)}`)
  for (const text of faults.slice(0, max_faults)) console.log(`FAULT  ${text}`)
  console.log(faults.length === 0 ? 'Valid.' : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`)
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { head: { type: 'string' }, contains: { type: 'string' }, part: { type: 'boolean' } },
  })
  const [file, ...extraFiles] = positionals
  for (const name of ['head', 'contains']) {
    if (values[name] !== undefined && !isHash(values[name])) throw new Error(`--${name} must be a hash`)
  }
  if (extraFiles.length > 0) throw new Error('only one file can be verified at a time')
  const result = await verifyExport(file === undefined ? process.stdin : createReadStream(file), values)
  printResult(result)
  process.exitCode = result.valid ? 0 : 1
}

const scriptPath = process.argv[1]
if (scriptPath && import.meta.url === pathToFileURL(realpathSync(scriptPath)).href) {
  try {
    await main()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 2
  }
}
