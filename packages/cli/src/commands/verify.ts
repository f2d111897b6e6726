import { Command } from 'commander'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { writeMessage, type CommandContext } from '../context.ts'
import { CommandFailure, usageFailure } from '../failures.ts'
import { verifyExport } from '../../../../tools/verify-ledger.mjs'
import { findReceipts, verifyAll } from '../../../../tools/verify-receipt.mjs'

/** `swath verify`: proofs of the platform, without a network. */
export function registerVerify(command: Command, context: CommandContext): void {
  const ledger = command
    .command('ledger')
    .description('Verify an export of the journal (swath billing ledger export).')
    .argument('[file]', 'NDJSON or CSV (default: the standard input)')
    .option('--head <hash>', 'the export must end with this hash')
    .option('--contains <hash>', 'this hash of an earlier export must be in the chain')
    .option('--part', 'the export may begin after the first entry')
  ledger.action((file: string | undefined) => verifyLedger(context, file, ledger.opts<LedgerOptions>()))
  const receipt = command
    .command('receipt')
    .description('Verify the receipts of processing jobs (swath provenance export).')
    .argument('[file]', 'the exported lineage, or one receipt (default: the standard input)')
    .requiredOption('--keys <file>', 'the JWK set of the platform, from /.well-known/receipt-keys.json')
    .option('--file <path>', 'a downloaded file that must be an output of a receipt; may be repeated', (text: string, before: string[] = []) => [...before, text]) // prettier-ignore
  receipt.action((file: string | undefined) => verifyReceipts(context, file, receipt.opts<ReceiptOptions>()))
}

interface LedgerOptions {
  readonly head?: string
  readonly contains?: string
  readonly part?: boolean
}

interface ReceiptOptions {
  readonly keys: string
  readonly file?: string[]
}

async function verifyLedger(context: CommandContext, file: string | undefined, options: LedgerOptions): Promise<void> {
  for (const name of ['head', 'contains'] as const)
    if (options[name] !== undefined && !/^[0-9a-f]{64}$/.test(options[name])) throw usageFailure(`--${name} must be a hash: 64 hexadecimal digits.`) // prettier-ignore
  const source = file === undefined ? context.stdin : createReadStream(file)
  const result = await verifyExport(source, options).catch((error: Error) => {
    throw usageFailure(`${file ?? 'The standard input'} cannot be read: ${error.message}`)
  })
  const { organization_id, entries, head, kept, faults } = result
  context.stdout.write(`Organization  ${organization_id ?? 'unknown'}\nEntries       ${entries}\n`)
  if (head) context.stdout.write(`Head          ${head.hash}\n`)
  if (kept !== null) context.stdout.write(`Known hash    at position ${kept}\n`)
  finish(context, entries === 0 ? [...faults, 'there are no entries'] : faults)
}

async function verifyReceipts(
  context: CommandContext,
  file: string | undefined,
  options: ReceiptOptions,
): Promise<void> {
  // prettier-ignore
  const keys = parseKeys(await read(options.keys), options.keys)
  const receipts = findReceipts(file === undefined ? await readStream(context.stdin) : await read(file))
  finish(context, await verifyAll(receipts, keys, options.file ?? [], (line: string) => context.stdout.write(`${line}\n`))) // prettier-ignore
}

function parseKeys(text: string, path: string): unknown[] {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown }
    if (Array.isArray(keys)) return keys
  } catch {
    // Told below.
  }
  throw usageFailure(`${path} is not a set of keys (JWKS), as /.well-known/receipt-keys.json is.`)
}

const read = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${path} cannot be read (${error.code}).`)
  })

function finish(context: CommandContext, faults: readonly string[]): void {
  for (const fault of faults) context.stdout.write(`FAULT  ${fault}\n`)
  if (faults.length > 0) throw new CommandFailure('failure', `Not valid: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`) // prettier-ignore
  writeMessage(context, 'Valid.')
}
